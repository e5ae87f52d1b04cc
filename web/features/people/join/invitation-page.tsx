import { useQuery } from '@tanstack/react-query';
import { NAME_REQUIRED } from '../../../../contract/base/required.ts';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { INVITED_AS } from '../../../../contract/people/username.ts';
import { acceptInvitation } from '../../../api/auth-api.ts';
import { healthQuery } from '../../../api/health-api.ts';
import { OIDC_START } from '../../../api/oidc-arrival.ts';
import { OutsidePage } from '../../../components/frame/outside-page.tsx';
import { checkNewPassword, NewPasswordField } from '../../../components/settings/new-password-field.tsx';
import { useNavigate } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { readText, searchReader } from '../../../search-fields.ts';
import { newPasswordTexts, invitationTexts as texts } from '../../../text/es-account.ts';
import { oidcSignInTexts } from '../../../text/es-oidc.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { LinkForm } from './link-form.tsx';
import { PersonFields } from './person-fields.tsx';

/** The user name in the link of an invitation that left out the person's name. */
const readInvitation = searchReader((raw) => ({ [INVITED_AS]: readText(raw[INVITED_AS]) }));

/**
 * /invitacion: an invited person chooses a password and is signed in (PEOPLE-03). Where the invitation left out the name,
 * the person says it, and sees the user name with which to sign in later (docs/decisions/147).
 */
export function InvitationPage() {
  const navigate = useNavigate();
  const invitedAs = readInvitation(Object.fromEntries(new URLSearchParams(window.location.search)))[
    INVITED_AS
  ];
  const isAsked = invitedAs !== undefined;
  const provider = useQuery(healthQuery).data?.oidc;
  if (provider?.only) return <InvitedAtProvider provider={provider.name} />;
  return (
    <LinkForm
      path={PATHS.invitation}
      texts={texts}
      blank={{ names: '', username: invitedAs ?? '', password: '' }}
      check={({ names, username, password }) => ({
        ...(isAsked && {
          names: names.trim() === '' ? NAME_REQUIRED : undefined,
          username: username.trim() === '' ? AUTH_MESSAGES.usernameRequired : undefined,
        }),
        password: checkNewPassword(password),
      })}
      send={async ({ names, username, password }, token) => {
        await acceptInvitation({ token, password, ...(isAsked && { names, username }) });
        // Works also if another person was signed in in this browser.
        await navigate({ to: PATHS.dashboard, replace: true });
      }}
    >
      {({ field, error }) => (
        <>
          {isAsked && <PersonFields field={field} error={error} />}
          <NewPasswordField
            label={newPasswordTexts.own}
            error={error('password')}
            field={field('password')}
            autoFocus={!isAsked}
            large
          />
        </>
      )}
    </LinkForm>
  );
}

/** Where nobody has a password, the invitation is accepted by signing in at the provider with the same mail (SIGN-02). */
function InvitedAtProvider({ provider }: { provider: string }) {
  return (
    <OutsidePage heading={texts.heading} lead={oidcSignInTexts.invited(provider)}>
      <a href={OIDC_START} className={buttonClass('primary', 'lg', 'w-full')}>
        {oidcSignInTexts.enter(provider)}
      </a>
    </OutsidePage>
  );
}
