import { useQuery } from '@tanstack/react-query';
import { DigestSwitch } from '../../../components/frame/digest-switch.tsx';
import { RecordState } from '../../../components/record/record-state.tsx';
import { accountQuery } from '../../../components/settings/account-query.ts';
import { accountTexts, noticesTexts } from '../../../text/es-account.ts';
import { Card } from '../../../ui/card.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { FactorCard } from './factor-card.tsx';
import { IdentityCard } from './identity-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PersonalCard } from './personal-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** /account: the settings of the signed-in person (PEOPLE-08). */
export function AccountPage() {
  const account = useQuery(accountQuery);
  return (
    <div className="max-w-3xl space-y-6">
      <PageHeader title={accountTexts.title} subtitle={accountTexts.subtitle} />
      <RecordState query={account} texts={accountTexts}>
        {({ user, mfa_enabled, oidc }) => (
          <div className="space-y-4">
            <PersonalCard user={user} hasPassword={oidc?.only_way !== true} />
            {!oidc?.only_way && <PasswordCard username={user.username} />}
            {oidc && <IdentityCard oidc={oidc} />}
            <FactorCard isOn={mfa_enabled} hasPassword={oidc?.only_way !== true} />
            {!oidc?.only && <PasskeysCard />}
            <SessionsCard />
            <Card title={noticesTexts.title}>
              <DigestSwitch />
            </Card>
          </div>
        )}
      </RecordState>
    </div>
  );
}
