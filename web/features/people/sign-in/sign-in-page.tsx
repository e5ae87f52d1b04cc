import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { reportLost, reportReached, useConnection } from '../../../api/connection.ts';
import { healthQuery } from '../../../api/health-api.ts';
import { useLinkToken } from '../../../api/link-token.ts';
import { LINK_BEGIN } from '../../../api/oidc-arrival.ts';
import { usePasskeyPlace } from '../../../api/passkey-place.ts';
import { BrandMark } from '../../../components/frame/brand-mark.tsx';
import { ThemeToggle } from '../../../components/frame/theme-toggle.tsx';
import { hasDraft } from '../../../components/record/form-drafts.ts';
import { codeOf, useCode } from '../../../components/screen/code.tsx';
import { ConnectionBanner } from '../../../components/screen/connection-banner.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { PRODUCT } from '../../../text/es.ts';
import { authTexts, codeTexts, waitText } from '../../../text/es-auth.ts';
import { Banner } from '../../../ui/banner.tsx';
import { CodeForm } from './code-form.tsx';
import { DemoHint } from './demo-hint.tsx';
import type { OidcEntryProps } from './oidc-entry.tsx';
import type { PasskeyEntryProps } from './passkey-entry.tsx';
import { Showcase } from './showcase.tsx';
import { SignInForm, type SignInFormHandle } from './sign-in-form.tsx';

/** The current step of the sign-in. */
type Step =
  | { kind: 'password'; username: string; codeEnded: boolean }
  | { kind: 'code'; username: string; token: string };

const oidcEntry = codeOf(() => import('./oidc-entry.tsx'));

/** The way in with OpenID Connect (SIGN-02). Its place has its height before its code is there. */
function OidcPlace(props: OidcEntryProps) {
  const { OidcEntry } = useCode(oidcEntry).module ?? {};
  return <div className="min-h-11">{OidcEntry && <OidcEntry {...props} />}</div>;
}

const passkeyEntry = codeOf(() => import('./passkey-entry.tsx'));

/** The button for passkeys where they sign in. Its place has its height before its code is there. */
function PasskeyPlace(props: PasskeyEntryProps) {
  const { PasskeyEntry } = useCode(passkeyEntry).module ?? {};
  return <div className="min-h-11">{PasskeyEntry && <PasskeyEntry {...props} />}</div>;
}

/** /login. The router decides which screen follows. */
export function SignInPage() {
  const lost = useConnection(({ state }) => state === 'lost');
  const [wait, setWait] = useState<string | null>(null);
  const [step, setStep] = useState<Step>({ kind: 'password', username: '', codeEnded: false });
  const formHandle = useRef<SignInFormHandle>(null);
  const returning = useLocation({ select: ({ state }) => state.from !== undefined });
  const hasPasskeys = usePasskeyPlace();
  const provider = useQuery(healthQuery).data?.oidc;
  // What the provider sent last: the entry takes it out of the store, because it is good once.
  const came = useLinkToken(({ path, token }) => (path === PATHS.signIn ? token : ''));
  const [fragment, setFragment] = useState('');
  // Somebody with a link of who runs the server has one thing to do.
  const [hasLink, setHasLink] = useState(false);
  if (came !== '' && came !== fragment) {
    setFragment(came);
    setHasLink(came.startsWith(LINK_BEGIN));
  }
  const isOnly = provider?.only === true;
  const reached = () => {
    reportReached();
    setWait(null);
  };
  const throttled = (seconds: number) => setWait(waitText(seconds, new Date()));
  const backToPassword = (codeEnded: boolean) => {
    setWait(null);
    setStep({ kind: 'password', username: step.username, codeEnded });
  };
  return (
    <div data-full-bleed className="flex min-h-dvh bg-surface">
      <main className="flex w-full flex-col px-4 py-6 sm:px-10 lg:w-[34rem] lg:shrink-0 xl:w-[40rem]">
        <div className="flex items-center justify-between">
          <p className="flex items-center gap-2.5 text-base font-semibold">
            <BrandMark />
            {PRODUCT}
          </p>
          <ThemeToggle />
        </div>
        {/* Aligned to the top, so that the form does not move when the demo hint appears below. */}
        <div className="mx-auto flex w-full max-w-sm flex-col gap-6 pt-[clamp(2rem,12dvh,8rem)] pb-10">
          <header>
            <h1 className="text-2xl font-semibold tracking-tight">
              {step.kind === 'code' ? codeTexts.heading : authTexts.heading}
            </h1>
            <p className="mt-1 text-muted">{step.kind === 'code' ? codeTexts.lead : authTexts.lead}</p>
          </header>
          {returning && (
            <Banner tone="info">{hasDraft() ? authTexts.draftKept : authTexts.sessionEnded}</Banner>
          )}
          {lost && <ConnectionBanner announce="alert" />}
          {step.kind === 'password' && step.codeEnded && (
            <Banner tone="warning" announce="alert">
              {codeTexts.ended}
            </Banner>
          )}
          {wait !== null && <Banner tone="warning">{wait}</Banner>}
          {step.kind === 'code' ? (
            <CodeForm
              token={step.token}
              onReached={reached}
              onUnreachable={reportLost}
              onThrottled={throttled}
              onBack={backToPassword}
            />
          ) : (
            <>
              {!isOnly && !hasLink && (
                <>
                  <SignInForm
                    handle={formHandle}
                    username={step.username}
                    onCodeRequired={(token, username) => setStep({ kind: 'code', token, username })}
                    onReached={reached}
                    onUnreachable={reportLost}
                    onThrottled={throttled}
                  />
                  <Link
                    to={PATHS.forgotPassword}
                    className="-my-2 min-h-6 self-center font-medium text-brand-text underline underline-offset-2 pointer-coarse:min-h-11 pointer-coarse:content-center"
                  >
                    {authTexts.forgotten}
                  </Link>
                </>
              )}
              {hasPasskeys && !isOnly && !hasLink && (
                <PasskeyPlace onReached={reached} onUnreachable={reportLost} onThrottled={throttled} />
              )}
              {(provider || fragment !== '') && (
                <OidcPlace
                  key={fragment}
                  fragment={fragment}
                  onOver={() => setHasLink(false)}
                  provider={provider?.name}
                  only={isOnly}
                  onCodeRequired={(token) => setStep({ kind: 'code', token, username: '' })}
                  onReached={reached}
                  onUnreachable={reportLost}
                  onThrottled={throttled}
                />
              )}
              <DemoHint onUse={(account) => formHandle.current?.fill(account)} />
            </>
          )}
        </div>
      </main>
      <Showcase />
    </div>
  );
}
