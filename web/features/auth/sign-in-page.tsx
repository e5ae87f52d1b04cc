import { useLocation } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { noteLost, noteReached, useConnection } from '../../api/connection.ts';
import { BrandMark } from '../../components/frame/brand-mark.tsx';
import { ConnectionBanner } from '../../components/frame/connection-banner.tsx';
import { ThemeToggle } from '../../components/frame/theme-toggle.tsx';
import { hasDraft } from '../../components/record/form-drafts.ts';
import { PRODUCT } from '../../text/es.ts';
import { authTexts, waitText } from '../../text/es-auth.ts';
import { Banner } from '../../ui/banner.tsx';
import { DemoHint } from './demo-hint.tsx';
import { Showcase } from './showcase.tsx';
import { SignInForm, type SignInFormHandle } from './sign-in-form.tsx';

/** /login. The router decides where a sign-in leads. */
export function SignInPage() {
  const lost = useConnection(({ state }) => state === 'lost');
  const [waitSeconds, setWaitSeconds] = useState<number | null>(null);
  const formHandle = useRef<SignInFormHandle>(null);
  const returning = useLocation({ select: (location) => location.state.from !== undefined });
  const reached = () => {
    noteReached();
    setWaitSeconds(null);
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
        {/* Aligned to the top: the hint, which appears later below, does not move the form. */}
        <div className="mx-auto flex w-full max-w-sm flex-col gap-6 pt-[clamp(2rem,12dvh,8rem)] pb-10">
          <header>
            <h1 className="text-2xl font-semibold tracking-tight">{authTexts.heading}</h1>
            <p className="mt-1 text-muted">{authTexts.lead}</p>
          </header>
          {returning && (
            <Banner tone="info">{hasDraft() ? authTexts.draftKept : authTexts.sessionEnded}</Banner>
          )}
          {lost && <ConnectionBanner announce="alert" />}
          {waitSeconds !== null && <Banner tone="warning">{waitText(waitSeconds)}</Banner>}
          <SignInForm
            handle={formHandle}
            onReached={reached}
            onUnreachable={noteLost}
            onThrottled={setWaitSeconds}
          />
          <DemoHint onUse={(account) => formHandle.current?.fill(account)} />
        </div>
      </main>
      <Showcase />
    </div>
  );
}
