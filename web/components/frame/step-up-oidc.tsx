import { LogIn } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { proveAtProvider } from '../../api/oidc-arrival.ts';
import { oidcStepUpTexts as texts } from '../../text/es-oidc.ts';
import { Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

interface StepUpOidcProps {
  /** The name of the provider. */
  provider: string;
  /** Whether it is the only proof that the person has. */
  isOnly: boolean;
  onConfirmed: () => void;
}

/** A proof of identity at the OpenID Connect provider, in a window of its own, so that nothing typed is lost (SIGN-02). */
export function StepUpOidc({ provider, isOnly, onConfirmed }: StepUpOidcProps) {
  const [isWaiting, setWaiting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const finish = async (token: string | null) => {
    setWaiting(false);
    if (token === null) return setFailure(texts.failed(provider));
    try {
      await request('POST', '/api/auth/step-up/', { body: { oidc: token } });
      onConfirmed();
    } catch (error) {
      const own = error instanceof ApiError ? error.fieldErrors.oidc?.[0] : undefined;
      setFailure(own ?? errorMessage(error));
    }
  };
  const begin = () => {
    stop.current?.();
    setFailure(null);
    setWaiting(true);
    stop.current = proveAtProvider((token) => void finish(token));
  };
  return (
    <>
      <Button icon={LogIn} variant={isOnly ? 'primary' : 'secondary'} onClick={begin} className="w-full">
        {texts.use(provider)}
      </Button>
      <p role="status" className={isWaiting ? 'text-sm text-muted' : 'sr-only'}>
        {isWaiting ? texts.waiting : null}
      </p>
      <Failure text={failure} />
    </>
  );
}
