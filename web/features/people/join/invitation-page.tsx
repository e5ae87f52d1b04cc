import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { INVITED_AS } from '../../../../contract/people/username.ts';
import { acceptInvitation } from '../../../api/auth-api.ts';
import { checkNewPassword, NewPasswordField } from '../../../components/settings/new-password-field.tsx';
import { useNavigate } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { readText, searchReader } from '../../../search-fields.ts';
import { newPasswordTexts, invitationTexts as texts } from '../../../text/es-account.ts';
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
  return (
    <LinkForm
      path={PATHS.invitation}
      texts={texts}
      blank={{ names: '', username: invitedAs ?? '', password: '' }}
      check={({ names, username, password }) => ({
        ...(isAsked && {
          names: names.trim() === '' ? AUTH_MESSAGES.namesRequired : undefined,
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
