import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { PortalLicense } from '../../contract/portal/portal-licenses.ts';
import { endInWords, STATE_ADVICE, portalLicenseTexts as texts } from '../text/es-portal-licenses.ts';
import { formatDate, formatDateTime } from '../text/format.ts';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { call } from './call.ts';
import { DueAction } from './due-action.tsx';
import { LicenseActions } from './license-actions.tsx';
import { Line, StateBadge } from './license-parts.tsx';
import { portalState } from './license-state.ts';
import { Machines } from './machines.tsx';
import { LoadFailure, Loading, Page, PageFrame } from './page.tsx';
import { PlaceLink } from './place-link.tsx';
import { Said } from './said.tsx';
import { Usage } from './usage.tsx';
import { useLoaded } from './use-loaded.ts';

interface LicensePageProps {
  id: number;
  /** True if it is the client's only licence: then there is no link back to the list. */
  alone?: boolean;
}

/** A licence: its data, its machines, and the actions (PORTAL-04). */
export function LicensePage({ id, alone = false }: LicensePageProps) {
  const { loaded, reload } = useLoaded(`license ${id}`, () => call<PortalLicense>(`licenses/${id}/`));
  const [said, setSaid] = useState<string | null>(null);
  if (loaded.state === 'loading') return <Loading />;
  if (loaded.state === 'failed') {
    if (loaded.error.status !== 404) return <LoadFailure error={loaded.error} retry={reload} />;
    return (
      <Page title={texts.gone} lead={texts.goneHint}>
        <BackLink />
      </Page>
    );
  }
  const done = (text: string) => {
    setSaid(text);
    void reload();
  };
  return (
    <>
      {!alone && <BackLink />}
      <Page {...headOf(loaded.data, <DueAction license={loaded.data} onDone={done} />)}>
        <Said text={said} />
        <Machines license={loaded.data} onReleased={done} />
        <Usage license={loaded.data} />
        <FactsCard license={loaded.data} />
        <LicenseActions license={loaded.data} onDone={done} />
        <History entries={loaded.data.history} />
      </Page>
    </>
  );
}

const BackLink = () => (
  <PlaceLink
    to={{ name: 'licenses' }}
    className="-mt-2 mb-2 inline-flex min-h-11 items-center gap-1.5 font-medium text-brand-text underline-offset-2 hover:underline"
  >
    <ArrowLeft aria-hidden className="size-4" />
    {texts.back}
  </PlaceLink>
);

/** The heading of a licence: its name, state and end, what to do about them, and the button for it. */
const headOf = (license: PortalLicense, action: ReactNode = null) => ({
  title: `${license.software_name} ${license.software_version}`,
  lead: (
    <div className="flex flex-col items-start gap-1.5">
      <StateBadge license={license} />
      <p className="font-medium text-text">{endInWords(license)}</p>
      <p className="empty:hidden">{STATE_ADVICE[portalState(license)]}</p>
      <div className="mt-1.5 w-full space-y-3 empty:hidden">{action}</div>
    </div>
  ),
});

/** Only the heading, for the preview in Configuración. */
export const LicenseHead = ({ license }: { license: PortalLicense }) => (
  <PageFrame {...headOf(license)} heading="h3" />
);

/** The key and the data of the licence. */
export const FactsCard = ({ license }: { license: PortalLicense }) => (
  <Card title={texts.facts}>
    <dl className="space-y-4">
      <Line label={texts.key}>
        <span translate="no" className="font-mono text-sm">
          {license.license_key}
        </span>
        <span className="mt-2 block text-sm">
          <CopyButton text={license.license_key} label={texts.copyKey} copiedLabel={texts.copied} />
        </span>
      </Line>
      {license.updates_until !== null && (
        <Line label={texts.updates}>{formatDate(license.updates_until)}</Line>
      )}
      {license.license_type_name !== null && <Line label={texts.type}>{license.license_type_name}</Line>}
      <Line label={texts.issued}>{formatDate(license.issued_date)}</Line>
    </dl>
  </Card>
);

function History({ entries = [] }: { entries: PortalLicense['history'] }) {
  if (entries.length === 0) return null;
  return (
    <Card title={texts.history}>
      <ul className="space-y-3">
        {entries.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <p className="wrap-anywhere">{text}</p>
            <p className="text-xs text-muted">
              <time dateTime={at}>{formatDateTime(at)}</time>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
