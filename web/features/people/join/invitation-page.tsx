import { acceptInvitation } from '../../../api/auth-api.ts';
import { checkNewPassword, NewPasswordField } from '../../../components/settings/new-password-field.tsx';
import { useNavigate } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { invitationTexts, newPasswordTexts } from '../../../text/es-account.ts';
import { LinkForm } from './link-form.tsx';

/** /invitacion: an invited person chooses a password and is signed in (PEOPLE-03). */
export function InvitationPage() {
  const navigate = useNavigate();
  return (
    <LinkForm
      path={PATHS.invitation}
      texts={invitationTexts}
      blank={{ password: '' }}
      check={({ password }) => ({ password: checkNewPassword(password) })}
      send={async ({ password }, token) => {
        await acceptInvitation({ token, password });
        // Works also if another person was signed in in this browser.
        await navigate({ to: PATHS.dashboard, replace: true });
      }}
    >
      {({ field, error }) => (
        <NewPasswordField
          label={newPasswordTexts.own}
          error={error('password')}
          field={field('password')}
          autoFocus
          large
        />
      )}
    </LinkForm>
  );
}
