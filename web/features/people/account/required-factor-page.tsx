import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { requireMfaSetup } from '../../../api/session.ts';
import { OutsidePage } from '../../../components/frame/outside-page.tsx';
import { StepUp } from '../../../components/frame/step-up.tsx';
import { useSignOut } from '../../../components/screen/use-sign-out.ts';
import { accountQuery } from '../../../components/settings/account-query.ts';
import { factorTexts, requiredFactorTexts } from '../../../text/es-account.ts';
import { layoutTexts } from '../../../text/es-layout.ts';
import { Button } from '../../../ui/button.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { SetUpFactor } from './set-up-factor.tsx';

/** Replaces every screen for a person who must have a second factor and has none (PEOPLE-05). */
export function RequiredFactorPage() {
  const queryClient = useQueryClient();
  // Open also to somebody who must set up the second factor first.
  const { data: account } = useQuery(accountQuery);
  const [leave, leaving] = useSignOut();
  return (
    <OutsidePage
      heading={requiredFactorTexts.heading}
      lead={requiredFactorTexts.lead}
      wide
      action={
        <Button variant="ghost" size="sm" icon={LogOut} busy={leaving} onClick={leave}>
          {layoutTexts.signOut}
        </Button>
      }
    >
      <StepUp />
      <SetUpFactor
        hasPassword={account?.oidc?.only_way !== true}
        onDone={() => {
          // All calls until now were refused, so their results are removed.
          queryClient.removeQueries();
          requireMfaSetup(false);
          toasts.success(factorTexts.enabled);
        }}
      />
    </OutsidePage>
  );
}
