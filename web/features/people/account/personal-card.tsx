import { useRef } from 'react';
import { EMAIL_REQUIRED, NAME_REQUIRED } from '../../../../contract/base/required.ts';
import type { Account } from '../../../../contract/people/auth.ts';
import { mailKey } from '../../../../contract/reading/mail-addresses.ts';
import { useMailOffer } from '../../../components/client/field-offers.tsx';
import { useLeaveGuard } from '../../../components/record/leave-guard.tsx';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { accountTexts, personalTexts as texts } from '../../../text/es-account.ts';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useSavePersonalData } from './account.api.ts';
import { CardForm } from './card-form.tsx';

const formOf = ({ names, last_name, email, email_shown = email }: Account) => ({
  names,
  last_name,
  email: email_shown,
  current_password: '',
});

/** The person's own names and email address. A new address requires the password, where there is one. */
export function PersonalCard({ user, hasPassword }: { user: Account; hasPassword: boolean }) {
  const save = useSavePersonalData();
  const isNewEmail = (email: string) => mailKey(email) !== mailKey(user.email);
  const isAsked = (email: string) => hasPassword && isNewEmail(email);
  const form = usePlainForm({
    blank: formOf(user),
    check: ({ names, email, current_password }) => ({
      names: names.trim() === '' ? NAME_REQUIRED : undefined,
      email: email.trim() === '' ? EMAIL_REQUIRED : undefined,
      current_password: isAsked(email) && current_password === '' ? texts.passwordRequired : undefined,
    }),
    send: async ({ current_password, ...data }) => {
      const { user: saved } = await save.mutateAsync({
        ...data,
        ...(isAsked(data.email) && { current_password }),
      });
      guard.release();
      form.reset(formOf(saved));
      toasts.success(texts.saved);
    },
  });
  const { field, error, values } = form;
  const emailInput = useRef<HTMLInputElement>(null);
  const emailOffer = useMailOffer({
    typed: values.email,
    onUse: (email) => {
      form.reset({ ...values, email });
      emailInput.current?.focus();
    },
  });
  const isDirty = (['names', 'last_name', 'email'] as const).some(
    (name) => values[name] !== formOf(user)[name],
  );
  const guard = useLeaveGuard(isDirty);
  return (
    <Card title={texts.title} subtitle={`${texts.username}: ${user.username}`}>
      <CardForm label={texts.title} form={form} submit={accountTexts.save} disabled={!isDirty}>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={texts.names} required error={error('names')}>
            <TextInput {...field('names')} autoComplete="given-name" />
          </Field>
          <Field label={texts.lastName} error={error('last_name')}>
            <TextInput {...field('last_name')} autoComplete="family-name" />
          </Field>
          <Field label={texts.email} required error={error('email')} warning={emailOffer}>
            <TextInput {...field('email')} ref={emailInput} type="email" autoComplete="email" />
          </Field>
          {isAsked(values.email) && (
            <Field
              label={texts.password}
              required
              error={error('current_password')}
              help={texts.passwordHelp}
            >
              <PasswordInput {...field('current_password')} autoComplete="current-password" />
            </Field>
          )}
        </div>
      </CardForm>
      {guard.dialog}
    </Card>
  );
}
