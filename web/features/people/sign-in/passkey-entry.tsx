import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ApiError, isNetworkError } from '../../../api/api-error.ts';
import { signInWithPasskey } from '../../../api/auth-api.ts';
import { NoPasskey, passkeyProof } from '../../../api/passkeys-api.ts';
import { OTHER_SIGN_IN_ERROR } from '../../../text/es-auth.ts';
import { passkeySignInTexts as texts } from '../../../text/es-passkeys.ts';
import { Button } from '../../../ui/button.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useOneAtATime } from '../../../ui/use-one-at-a-time.ts';
import { signInNotice } from './sign-in-notice.ts';
import { welcome } from './welcome.ts';

export interface PasskeyEntryProps {
  onReached: () => void;
  onUnreachable: () => void;
  /** Called with the seconds to wait after too many attempts. */
  onThrottled: (seconds: number) => void;
}

/** The button that signs in with a passkey; the browser asks which one (SIGN-01). */
export function PasskeyEntry({ onReached, onUnreachable, onThrottled }: PasskeyEntryProps) {
  const [hint, setHint] = useState<string | null>(null);
  const [enter, busy] = useOneAtATime(async () => {
    setHint(null);
    try {
      await signInWithPasskey(await passkeyProof());
      onReached();
      welcome();
    } catch (error) {
      if (isNetworkError(error)) onUnreachable();
      else onReached();
      // The browser has said more about it than we know, so this is no failure to announce in a toast.
      if (error instanceof NoPasskey) return setHint(error.message);
      const isWrong = error instanceof ApiError && error.code === 'invalid_code';
      const { title, text } = isWrong
        ? { title: OTHER_SIGN_IN_ERROR, text: texts.wrong }
        : signInNotice(error);
      toasts.error(title, text);
      if (isWrong) setHint(texts.hint);
      if (error instanceof ApiError && error.retryAfter !== null) onThrottled(error.retryAfter);
    }
  });
  return (
    <>
      <Button
        icon={KeyRound}
        size="lg"
        busy={busy}
        busyLabel={texts.waiting}
        onClick={enter}
        className="w-full"
      >
        {texts.enter}
      </Button>
      <p role="status" className={hint === null ? 'sr-only' : 'mt-2 text-sm text-muted'}>
        {hint}
      </p>
    </>
  );
}
