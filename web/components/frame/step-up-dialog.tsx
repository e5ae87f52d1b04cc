import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { usePasskeyPlace } from '../../api/passkey-place.ts';
import { actions, STEP_UP_TITLE } from '../../text/es.ts';
import { stepUpTexts as texts } from '../../text/es-step-up.ts';
import { Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { accountQuery } from '../settings/account-query.ts';
import { passkeysQuery } from '../settings/passkeys-query.ts';
import { StepUpOidc } from './step-up-oidc.tsx';

interface StepUpDialogProps {
  onConfirmed: () => void;
  onClose: () => void;
}

/** Whether the person has a passkey that signs in on this page. */
function useOwnPasskey(): boolean {
  const isOffered = usePasskeyPlace();
  const { data } = useQuery({ ...passkeysQuery, enabled: isOffered });
  return isOffered && data?.results.some(({ rp_id }) => rp_id === location.hostname) === true;
}

/** The dialog that asks for the password, a code of the second factor, or a passkey. */
export function StepUpDialog({ onConfirmed, onClose }: StepUpDialogProps) {
  const { data: account } = useQuery(accountQuery);
  const oidc = account?.oidc;
  // Who has no password has a code, or the provider alone.
  const hasPassword = oidc?.only_way !== true;
  const hasTyped = hasPassword || account?.mfa_enabled === true;
  const [chosen, setKind] = useState<'password' | 'code'>('password');
  const kind = hasPassword ? chosen : 'code';
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [confirm, isBusy] = useOneAtATime(async () => {
    try {
      await request('POST', '/api/auth/step-up/', { body: { [kind]: typed } });
      onConfirmed();
    } catch (failure) {
      const own = failure instanceof ApiError ? failure.fieldErrors[kind]?.[0] : undefined;
      setError(own ?? errorMessage(failure));
    }
  });
  const canUsePasskey = useOwnPasskey();
  const [failure, setFailure] = useState<string | null>(null);
  const [usePasskey, isAsking] = useOneAtATime(async () => {
    setError(undefined);
    setFailure(null);
    try {
      const { passkeyProof } = await import('../../api/passkeys-api.ts');
      await request('POST', '/api/auth/step-up/', { body: { passkey: await passkeyProof() } });
      onConfirmed();
    } catch (refused) {
      const own = refused instanceof ApiError ? refused.fieldErrors.passkey?.[0] : undefined;
      setFailure(own ?? errorMessage(refused));
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Otherwise the form below this dialog would be submitted too.
    event.stopPropagation();
    if (!hasTyped) return;
    if (typed === '') setError(texts.required[kind]);
    else void confirm();
  };
  const choose = (next: typeof kind) => {
    setKind(next);
    setTyped('');
    setError(undefined);
    setFailure(null);
  };
  return (
    <Dialog
      open
      size="sm"
      title={STEP_UP_TITLE}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          {hasTyped && (
            <Button type="submit" variant="primary" busy={isBusy} busyLabel={texts.busy}>
              {texts.confirm}
            </Button>
          )}
        </>
      }
    >
      <p className="text-sm text-muted">{hasPassword ? texts.why : texts.whyWithoutPassword}</p>
      {hasTyped && (
        <Field key={kind} label={texts.labels[kind]} required error={error} wide>
          <TextInput
            type={kind === 'password' ? 'password' : 'text'}
            autoComplete={kind === 'password' ? 'current-password' : 'one-time-code'}
            inputMode={kind === 'code' ? 'numeric' : undefined}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoFocus
          />
        </Field>
      )}
      {hasPassword && (
        <TextButton onClick={() => choose(kind === 'password' ? 'code' : 'password')}>
          {kind === 'password' ? texts.useCode : texts.usePassword}
        </TextButton>
      )}
      {canUsePasskey && (
        <Button
          icon={KeyRound}
          busy={isAsking}
          busyLabel={texts.askingPasskey}
          onClick={usePasskey}
          className="w-full"
        >
          {texts.usePasskey}
        </Button>
      )}
      {oidc?.linked && <StepUpOidc provider={oidc.name} isOnly={!hasTyped} onConfirmed={onConfirmed} />}
      <Failure text={failure} />
    </Dialog>
  );
}
