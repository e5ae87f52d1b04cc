import { useEffect, useState } from 'react';
import type { Vendor } from '../../contract/licenses/certificate.ts';
import type { PortalVendor } from '../../contract/portal/portal.ts';
import { portalSignInTexts, portalTexts as texts } from '../text/es-portal.ts';
import { go } from './address.ts';
import { call, whenSessionEnds } from './call.ts';
import { LinkPage } from './link-page.tsx';
import { linkToken } from './link-token.ts';
import { LoadFailure, Loading, Page } from './page.tsx';
import { isHinted, setHint } from './session-hint.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { SignedIn } from './signed-in.tsx';
import { useStore } from './store.ts';
import { useLoaded } from './use-loaded.ts';

/** Shown while the vendor is not known: during loading, or while the portal is switched off. */
const NOBODY: Vendor = { name: '', support_email: '', accent_color: '#596273', logo: null };

/** The client portal (PORTAL-01 to -06). */
export function Portal() {
  const { loaded, reload } = useLoaded('vendor', () => call<PortalVendor>('vendor/'));
  if (loaded.state === 'loading') {
    return (
      <Shell vendor={NOBODY}>
        <Loading />
      </Shell>
    );
  }
  if (loaded.state === 'failed') {
    return (
      <Shell vendor={NOBODY}>
        {loaded.error.status === 404 ? (
          <Page title={texts.offTitle} lead={texts.offText} />
        ) : (
          <LoadFailure error={loaded.error} retry={reload} />
        )}
      </Shell>
    );
  }
  return <OpenPortal vendor={loaded.data.vendor} />;
}

/** Why the sign-in page is shown. */
type Before = 'nothing' | 'ended' | 'signed-out';

const NOTES: Record<Before, string | null> = {
  nothing: null,
  ended: portalSignInTexts.ended,
  'signed-out': portalSignInTexts.signedOut,
};

function OpenPortal({ vendor }: { vendor: Vendor }) {
  const link = useStore(linkToken);
  const [before, setBefore] = useState<Before>('nothing');
  const [signedIn, setSignedIn] = useState(isHinted);
  useEffect(
    () =>
      whenSessionEnds(() => {
        setHint(false);
        setBefore('ended');
        setSignedIn(false);
      }),
    [],
  );
  const enter = () => {
    setHint(true);
    setBefore('nothing');
    setSignedIn(true);
  };
  const leave = () => {
    setHint(false);
    setBefore('signed-out');
    setSignedIn(false);
    go({ name: 'licenses' });
  };
  if (signedIn && link === null) return <SignedIn vendor={vendor} onSignedOut={leave} />;
  return (
    <Shell vendor={vendor}>
      {link === null ? (
        <SignIn note={NOTES[before]} onSignedIn={enter} />
      ) : (
        <LinkPage key={link.token} link={link} onSignedIn={enter} />
      )}
    </Shell>
  );
}
