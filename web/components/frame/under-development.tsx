import type { LucideIcon } from 'lucide-react';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { placeholderTexts } from '../../text/es-placeholders.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';

interface UnderDevelopmentProps {
  title: string;
  subtitle: string;
  hint: string;
  icon: LucideIcon;
}

/** A screen under development: it says so, and what is planned (D020). */
export function UnderDevelopment({ title, subtitle, hint, icon }: UnderDevelopmentProps) {
  return (
    <div className="space-y-6">
      <PageHeader title={title} subtitle={subtitle} />
      <Card>
        <EmptyState
          icon={icon}
          title={placeholderTexts.underDevelopment}
          hint={hint}
          action={
            <Link to={PATHS.dashboard} className={buttonClass('secondary')}>
              {placeholderTexts.backToDashboard}
            </Link>
          }
        />
      </Card>
    </div>
  );
}
