import { useLocation } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError, isNetworkError } from '../../../api/api-error.ts';
import { signInWithToken } from '../../../api/auth-api.ts';
import { useLinkToken } from '../../../api/link-token.ts';
import { type Arrival, OIDC_START, readArrival } from '../../../api/oidc-arrival.ts';
import { useNavigate } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { oidcSignInTexts as texts } from '../../../text/es-oidc.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { useOneAtATime } from '../../../ui/use-one-at-a-time.ts';
import { signInNotice } from './sign-in-notice.ts';
import { welcome } from './welcome.ts';

export interface OidcEntryProps {
  /** What followed '#' when the person came back; '' for nothing. Another one is another entry. */
  fragment: string;
  /** The name of the provider; undefined until the server has said it, or where there is none. */
  provider: string | undefined;
  /** Whether nobody signs in in another way. */
  only: boolean;
  /** Called when the token or the link was used, or refused. */
  onOver: () => void;
  /** Called with the token of the second step, if a code is required. */
  onCodeRequired: (token: string) => void;
  onReached: () => void;
  onUnreachable: () => void;
  /** Called with the seconds to wait after too many attempts. */
  onThrottled: (seconds: number) => void;
}

/** Where the person was when the session ended; the way to the provider leaves the page. */
const FROM = 'license_manager_oidc_from';

function keepFrom(from: string | undefined): void {
  try {
    if (from === undefined) sessionStorage.removeItem(FROM);
    else sessionStorage.setItem(FROM, from);
  } catch {
    // Without it the dashboard opens.
  }
}

function keptFrom(): string | undefined {
  try {
    return sessionStorage.getItem(FROM) ?? undefined;
  } catch {
    return undefined;
  }
}

/** What is said after a way back that opened no session. */
function failureOf(arrival: Arrival, error: unknown, provider: string | undefined): string {
  const isEnded = error instanceof ApiError && error.code === 'invalid_token';
  if (isEnded) return arrival?.kind === 'link' ? texts.linkEnded : texts.ended;
  return error === null ? texts.failed(provider) : signInNotice(error).text;
}

/** The way to the OpenID Connect provider, and back from it; and links of who runs the server (SIGN-02). */
export function OidcEntry({
  fragment,
  provider,
  only,
  onOver,
  onCodeRequired,
  onReached,
  onUnreachable,
  onThrottled,
}: OidcEntryProps) {
  const navigate = useNavigate();
  const from = useLocation({ select: ({ state }) => state.from });
  const [arrival] = useState(() => readArrival(fragment));
  const [failure, setFailure] = useState<unknown>(arrival?.kind === 'failed' ? null : undefined);
  const [isOver, setOver] = useState(false);
  const [enter, busy] = useOneAtATime(async () => {
    if (arrival === undefined || arrival.kind === 'failed') return;
    try {
      const kept = keptFrom();
      keepFrom(undefined);
      if (kept !== undefined) await navigate({ to: PATHS.signIn, state: { from: kept }, replace: true });
      const code = await signInWithToken(arrival.kind === 'link' ? 'link' : 'oidc/finish', arrival.token);
      onReached();
      if (code === null) welcome();
      else onCodeRequired(code);
    } catch (error) {
      if (isNetworkError(error)) onUnreachable();
      else onReached();
      setFailure(error);
      if (error instanceof ApiError && error.retryAfter !== null) onThrottled(error.retryAfter);
    }
    setOver(true);
    onOver();
  });
  const begun = useRef(false);
  useEffect(() => {
    useLinkToken.setState({ path: '', token: '' });
    // Twice in development: an effect runs again there.
    if (begun.current || arrival?.kind !== 'token') return;
    begun.current = true;
    void enter();
  }, [arrival, enter]);

  const isLinkOpen = arrival?.kind === 'link' && !isOver;
  const isEntering = arrival?.kind === 'token' && !isOver;
  return (
    <div className="flex flex-col gap-4">
      {failure !== undefined && (
        <Banner tone="critical" announce="alert">
          {failureOf(arrival, failure, provider)}
        </Banner>
      )}
      {isLinkOpen && (
        <>
          <p className="text-muted">{texts.linkLead}</p>
          <Button
            variant="primary"
            size="lg"
            busy={busy}
            busyLabel={texts.entering}
            onClick={enter}
            className="w-full"
          >
            {texts.useLink}
          </Button>
        </>
      )}
      {isEntering ? (
        <p role="status" className="text-center text-muted">
          {texts.entering}
        </p>
      ) : (
        provider !== undefined && (
          <a
            href={OIDC_START}
            onClick={() => keepFrom(from)}
            className={buttonClass(only && !isLinkOpen ? 'primary' : 'secondary', 'lg', 'w-full')}
          >
            <LogIn aria-hidden className="size-4" />
            {texts.enter(provider)}
          </a>
        )
      )}
    </div>
  );
}
