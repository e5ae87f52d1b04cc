import { useState } from 'react';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { useOffers } from '../../../api/offers.ts';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { checkNewPassword, NewPasswordField } from '../../../components/settings/new-password-field.tsx';
import { WorkingKeys } from '../../../components/settings/working-keys.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { passwordTexts as texts, workingKeysTexts as words } from '../../../text/es-account.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useChangePassword } from './account.api.ts';
import { CardForm } from './card-form.tsx';

/** The card to change one's own password, which ends all other sessions (PEOPLE-04). */
export function PasswordCard({ username }: { username: string }) {
  const isOffered = useOffers();
  // Only administrators manage users.
  const rule = isOffered('users.manage') ? 'admin' : 'other';
  const [keys, setKeys] = useState<readonly WorkingKey[]>([]);
  const change = useChangePassword();
  const form = usePlainForm({
    blank: { current_password: '', password: '' },
    check: ({ current_password, password }) => ({
      current_password: current_password === '' ? AUTH_MESSAGES.passwordRequired : undefined,
      password: checkNewPassword(password, rule, username),
    }),
    send: async (values) => {
      const { api_keys } = await change.mutateAsync(values);
      form.reset();
      setKeys(api_keys);
      toasts.success(texts.changed, texts.changedText);
    },
  });
  const { field, error } = form;
  return (
    <Card title={texts.title} subtitle={texts.lead}>
      {/* Above the form, because below it would be outside the visible part of a phone's screen. */}
      {keys.length > 0 && (
        <div className="mb-4">
          <WorkingKeys keys={keys} announce="status">
            <p>{words.own}</p>
            {isOffered('keys.manage') ? (
              <Link to={PATHS.apiKeys} className={buttonClass('secondary', 'sm', 'mt-3')}>
                {words.open}
              </Link>
            ) : (
              <p className="mt-2">{words.ask}</p>
            )}
          </WorkingKeys>
        </div>
      )}
      <CardForm label={texts.title} form={form} submit={texts.submit}>
        {/* A hidden field, so that password managers store the password with this user name. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={texts.current} error={error('current_password')}>
            <PasswordInput {...field('current_password')} autoComplete="current-password" />
          </Field>
          <NewPasswordField rule={rule} error={error('password')} field={field('password')} />
        </div>
      </CardForm>
    </Card>
  );
}
