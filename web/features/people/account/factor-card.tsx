import { useState } from 'react';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { factorTexts as texts } from '../../../text/es-account.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useDisableFactor } from './account.api.ts';
import { CardForm } from './card-form.tsx';
import { SetUpFactor } from './set-up-factor.tsx';

/** The card of the second factor: on or off, with the steps to change it (PEOPLE-05). */
export function FactorCard({ isOn, hasPassword }: { isOn: boolean; hasPassword: boolean }) {
  const [doing, setDoing] = useState<'nothing' | 'set-up' | 'disable'>('nothing');
  const stop = () => setDoing('nothing');
  const begun = isOn ? 'disable' : 'set-up';
  return (
    <Card
      title={texts.title}
      subtitle={texts.lead}
      action={<Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? texts.on : texts.off}</Badge>}
    >
      {doing === 'nothing' && (
        <Button onClick={() => setDoing(begun)}>{isOn ? texts.disable : texts.begin}</Button>
      )}
      {doing === 'set-up' && (
        <SetUpFactor
          hasPassword={hasPassword}
          onCancel={stop}
          onDone={() => {
            stop();
            toasts.success(texts.enabled);
          }}
        />
      )}
      {doing === 'disable' && <DisableFactor hasPassword={hasPassword} onDone={stop} />}
    </Card>
  );
}

function DisableFactor({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const disable = useDisableFactor();
  const form = usePlainForm({
    blank: { password: '', code: '' },
    check: ({ password, code }) => ({
      password: hasPassword && password === '' ? AUTH_MESSAGES.passwordRequired : undefined,
      code: code.trim() === '' ? texts.codeRequired : undefined,
    }),
    send: async ({ password, code }) => {
      await disable.mutateAsync({ code, ...(hasPassword && { password }) });
      toasts.success(texts.disabled);
      onDone();
    },
  });
  const { field, error } = form;
  return (
    <CardForm label={texts.disableTitle} form={form} submit={texts.disable} tone="danger" onCancel={onDone}>
      <p>{texts.disableText}</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {hasPassword && (
          <Field label={texts.password} error={error('password')}>
            <PasswordInput {...field('password')} autoComplete="current-password" autoFocus />
          </Field>
        )}
        <Field label={texts.anyCode} error={error('code')}>
          <TextInput
            {...field('code')}
            autoComplete="one-time-code"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      </div>
    </CardForm>
  );
}
