import { useState } from 'react';
import type { PortalSignedIn } from '../../contract/portal/portal.ts';
import { portalLinkTexts as texts } from '../text/es-portal.ts';
import { Failure } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { call } from './call.ts';
import { ChooseClient, choicesIn } from './choose-client.tsx';
import { type LinkToken, linkToken } from './link-token.ts';
import { Page } from './page.tsx';
import { useWork } from './use-work.ts';

/**
 * The page of a link from a mail, a program or staff. Only its button uses the link, so that mail scanners do not use
 * it up (PORTAL-01).
 */
export function LinkPage({ link, onSignedIn }: { link: LinkToken; onSignedIn: () => void }) {
  const { busy, error, run } = useWork();
  const [choices, setChoices] = useState<PortalSignedIn['choices'] | null>(null);
  const isMail = link.from === 'mail';
  const enter = () =>
    run(async () => {
      const body = { token: link.token };
      const offered = choicesIn(await call<PortalSignedIn>('sign-in/verify/', { method: 'POST', body }));
      if (offered) setChoices(offered);
      else finish();
    });
  const finish = () => {
    linkToken.set(null);
    onSignedIn();
  };
  if (choices) {
    return <ChooseClient choices={choices} onSignedIn={finish} onAgain={() => linkToken.set(null)} />;
  }
  if (error?.code === 'invalid_token') {
    return (
      <Page title={texts.deadTitle} lead={isMail ? texts.deadMail : texts.deadProgram}>
        <Button size="lg" onClick={() => linkToken.set(null)}>
          {texts.withEmail}
        </Button>
      </Page>
    );
  }
  return (
    <Page title={texts.title} lead={isMail ? texts.mail : texts.program}>
      <Failure text={error?.message ?? null} />
      <Button
        variant="primary"
        size="lg"
        busy={busy}
        busyLabel={texts.entering}
        onClick={enter}
        className="w-full text-base"
      >
        {texts.enter}
      </Button>
    </Page>
  );
}
