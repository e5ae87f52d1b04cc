import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { createFirstAdmin } from '../../../api/auth-api.ts';
import { checkNewPassword, NewPasswordField } from '../../../components/settings/new-password-field.tsx';
import { useNavigate } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { newPasswordTexts, firstAdminTexts as texts } from '../../../text/es-account.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { LinkForm } from './link-form.tsx';

const BLANK = { username: '', names: '', last_name: '', email: '', password: '' };

const unless = (text: string, message: string) => (text.trim() === '' ? message : undefined);

/** /primer-administrador: creates the first account with the link in the server's log (PEOPLE-02). */
export function FirstAdminPage() {
  const navigate = useNavigate();
  return (
    <LinkForm
      path={PATHS.firstAdmin}
      texts={texts}
      blank={BLANK}
      check={({ username, names, email, password }) => ({
        username: unless(username, AUTH_MESSAGES.usernameRequired),
        names: unless(names, AUTH_MESSAGES.namesRequired),
        email: unless(email, AUTH_MESSAGES.emailRequired),
        password: checkNewPassword(password, 'admin', username),
      })}
      send={async (values, token) => {
        await createFirstAdmin({ ...values, token });
        await navigate({ to: PATHS.dashboard, replace: true });
      }}
    >
      {({ field, error }) => (
        <>
          <Field label={texts.username} error={error('username')}>
            <TextInput
              {...field('username')}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus
              className="h-11"
            />
          </Field>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label={texts.names} error={error('names')}>
              <TextInput {...field('names')} autoComplete="given-name" className="h-11" />
            </Field>
            <Field label={texts.lastName} error={error('last_name')}>
              <TextInput {...field('last_name')} autoComplete="family-name" className="h-11" />
            </Field>
          </div>
          <Field label={texts.email} error={error('email')}>
            <TextInput {...field('email')} type="email" autoComplete="email" className="h-11" />
          </Field>
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
