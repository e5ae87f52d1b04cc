import { AUTH_MESSAGES } from '../../../contract/auth-messages.ts';
import { checkNewPassword, NewPasswordField } from '../../components/new-password-field.tsx';
import { usePlainForm } from '../../components/use-plain-form.ts';
import { passwordTexts as texts } from '../../text/es-account.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useChangePassword } from './account.api.ts';
import { CardForm } from './card-form.tsx';

/** A new password for oneself, which ends the other sessions (PEOPLE-04). */
export function PasswordCard({ username }: { username: string }) {
  const change = useChangePassword();
  const form = usePlainForm({
    blank: { current_password: '', password: '' },
    check: ({ current_password, password }) => ({
      current_password: current_password === '' ? AUTH_MESSAGES.passwordRequired : undefined,
      password: checkNewPassword(password),
    }),
    send: async (values) => {
      await change.mutateAsync(values);
      form.reset();
      toasts.success(texts.changed, texts.changedText);
    },
  });
  const { field, error } = form;
  return (
    <Card title={texts.title} subtitle={texts.lead}>
      <CardForm label={texts.title} form={form} submit={texts.submit}>
        {/* A password manager stores the password under this name. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={texts.current} error={error('current_password')}>
            <PasswordInput {...field('current_password')} autoComplete="current-password" />
          </Field>
          <NewPasswordField error={error('password')} field={field('password')} />
        </div>
      </CardForm>
    </Card>
  );
}
