import { useRef } from 'react';
import { EMAIL_REQUIRED, NAME_REQUIRED } from '../../../../contract/base/required.ts';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { usernameFrom } from '../../../../contract/people/username.ts';
import { createFirstAdmin } from '../../../api/auth-api.ts';
import { checkNewPassword, NewPasswordField } from '../../../components/settings/new-password-field.tsx';
import { useNavigate } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { newPasswordTexts, firstAdminTexts as texts } from '../../../text/es-account.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { LinkForm } from './link-form.tsx';
import { PersonFields } from './person-fields.tsx';

const BLANK = { names: '', email: '', username: '', password: '' };

const unless = (text: string, message: string) => (text.trim() === '' ? message : undefined);

/** A user name is suggested as soon as the address has a domain. */
const suggestedBy = (email: string): string => (/@[^@]/.test(email) ? usernameFrom(email) : '');

/** /primer-administrador: creates the first account with the link in the server's log (PEOPLE-02). */
export function FirstAdminPage() {
  const navigate = useNavigate();
  const suggested = useRef('');
  return (
    <LinkForm
      path={PATHS.firstAdmin}
      texts={texts}
      blank={BLANK}
      check={({ username, names, email, password }) => ({
        names: unless(names, NAME_REQUIRED),
        email: unless(email, EMAIL_REQUIRED),
        username: unless(username, AUTH_MESSAGES.usernameRequired),
        password: checkNewPassword(password, 'admin', username),
      })}
      send={async (values, token) => {
        await createFirstAdmin({ ...values, token });
        await navigate({ to: PATHS.dashboard, replace: true });
      }}
    >
      {({ field, error, set, values }) => (
        <>
          <PersonFields field={field} error={error}>
            <Field label={texts.email} error={error('email')}>
              <TextInput
                {...field('email')}
                type="email"
                autoComplete="email"
                className="h-11"
                onInput={({ currentTarget }) => {
                  // A user name that the person typed is not changed.
                  if (values.username !== suggested.current) return;
                  suggested.current = suggestedBy(currentTarget.value);
                  set('username', suggested.current);
                }}
              />
            </Field>
          </PersonFields>
          <NewPasswordField
            label={newPasswordTexts.own}
            rule="admin"
            error={error('password')}
            field={field('password')}
            large
          />
        </>
      )}
    </LinkForm>
  );
}
