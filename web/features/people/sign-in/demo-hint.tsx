import { useQuery } from '@tanstack/react-query';
import { DEMO_ACCOUNT } from '../../../../contract/people/auth-messages.ts';
import { healthQuery } from '../../../api/health-api.ts';
import { authTexts } from '../../../text/es-auth.ts';
import { Button } from '../../../ui/button.tsx';

interface DemoHintProps {
  onUse: (account: { username: string; password: string }) => void;
}

/** The demo administrator's account, shown only while it exists with the published password (SEED-2.4-04, D006). */
export function DemoHint({ onUse }: DemoHintProps) {
  const { data } = useQuery(healthQuery);
  if (data?.demo_account !== true || data.oidc?.only) return null;
  return (
    <section
      aria-label={authTexts.demoTitle}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-xl border border-dashed border-border-strong/60 bg-sunken px-4 py-3"
    >
      <div>
        <p className="font-medium">{authTexts.demoTitle}</p>
        <p className="mt-1 text-muted">{authTexts.demoUsername(DEMO_ACCOUNT.username)}</p>
        <p className="text-muted">{authTexts.demoPassword(DEMO_ACCOUNT.password)}</p>
      </div>
      <Button size="sm" onClick={() => onUse(DEMO_ACCOUNT)}>
        {authTexts.demoFill}
      </Button>
    </section>
  );
}
