import { LogOut } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Vendor } from '../../contract/licenses/certificate.ts';
import type { PortalMe } from '../../contract/portal/portal.ts';
import { portalAccountTexts as texts } from '../text/es-portal-licenses.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { place } from './address.ts';
import { call } from './call.ts';
import { LicensePage } from './license-page.tsx';
import { LicensesPage } from './licenses-page.tsx';
import { LoadFailure, Loading } from './page.tsx';
import { PlaceLink } from './place-link.tsx';
import { SessionProvider } from './session.ts';
import { Shell } from './shell.tsx';
import { useStore } from './store.ts';
import { useLoaded } from './use-loaded.ts';
import { useWork } from './use-work.ts';

// Loaded on demand, because these pages are rarely opened and large: they contain the tax catalogues and the QR code
// generator.
const MyData = lazy(() => import('./my-data.tsx').then((module) => ({ default: module.MyData })));
const CertificatePage = lazy(() =>
  import('./certificate-page.tsx').then((module) => ({ default: module.CertificatePage })),
);

interface SignedInProps {
  vendor: Vendor;
  onSignedOut: () => void;
}

/** The pages behind the sign-in. */
export function SignedIn({ vendor, onSignedOut }: SignedInProps) {
  const { loaded, reload } = useLoaded('me', () => call<PortalMe>('me/'));
  if (loaded.state !== 'here') {
    return (
      <Shell vendor={vendor}>
        {loaded.state === 'loading' ? <Loading /> : <LoadFailure error={loaded.error} retry={reload} />}
      </Shell>
    );
  }
  const me = loaded.data;
  return (
    <Shell vendor={me.vendor} account={<Account me={me} onSignedOut={onSignedOut} />}>
      {me.read_only && (
        <Banner tone="info" announce="note" className="mb-5">
          {texts.readOnly}
        </Banner>
      )}
      <SessionProvider value={{ me, readOnly: me.read_only }}>
        <Suspense fallback={<Loading />}>
          <Places onSaved={reload} onSignedOut={onSignedOut} />
        </Suspense>
      </SessionProvider>
    </Shell>
  );
}

function Places({ onSaved, onSignedOut }: { onSaved: () => void; onSignedOut: () => void }) {
  const shown = useStore(place);
  if (shown.name === 'license') return <LicensePage key={shown.id} id={shown.id} />;
  if (shown.name === 'certificate') return <CertificatePage key={shown.id} id={shown.id} />;
  if (shown.name === 'me') return <MyData onSaved={onSaved} onSignedOut={onSignedOut} />;
  return <LicensesPage />;
}

/**
 * The client's name with a link to 'Mis datos', and the sign-out button. Neither is shown in a session that began with
 * a ticket.
 */
function Account({ me, onSignedOut }: { me: PortalMe; onSignedOut: () => void }) {
  const { busy, run } = useWork();
  const signOut = () => run(() => call('sign-out/', { method: 'POST' }).then(onSignedOut));
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1">
      {me.contact && me.client && (
        <p className="min-w-0 text-xs text-muted wrap-anywhere">
          {texts.signedInAs(me.contact.name, me.client.name)}
        </p>
      )}
      {me.client !== null && (
        <PlaceLink
          to={{ name: 'me' }}
          className="inline-flex min-h-11 items-center rounded-lg px-2 font-medium text-brand-text underline-offset-2 hover:underline"
        >
          {texts.title}
        </PlaceLink>
      )}
      {!me.read_only && (
        <Button variant="ghost" icon={LogOut} busy={busy} onClick={signOut}>
          {texts.signOut}
        </Button>
      )}
    </div>
  );
}
