import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useRecordTitle } from '../../../components/screen/window-title.ts';
import { useParam } from '../../../navigation/hooks.ts';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { screens } from '../../../text/es.ts';
import { integrationTexts as texts } from '../../../text/es-integration.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { softwareItemQuery } from '../software.api.ts';
import { IntegrationTab } from './integration-tab.tsx';

/** /software/{id}/integracion: the tab 'Integración' of a software as a separate page (PROG-08). */
export function IntegrationPage() {
  const id = useParam('id') ?? '';
  const { data } = useQuery(softwareItemQuery(Number(id)));
  const name = data && `${data.name} ${data.version}`;
  useRecordTitle(name);
  return (
    <div className="mx-auto max-w-4xl space-y-6">
      <PageHeader
        title={screens.integration}
        subtitle={name}
        actions={
          <Link to={PATHS.softwareItem} params={{ id }} className={buttonClass('secondary', 'md')}>
            <ArrowLeft aria-hidden className="size-4" />
            {texts.back}
          </Link>
        }
      />
      <Card>
        <IntegrationTab key={id} softwareId={Number(id)} />
      </Card>
    </div>
  );
}
