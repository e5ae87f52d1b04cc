import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isExpired, isInstallationActive } from '../../../contract/base/time.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { ReleaseButton } from '../../components/license/release-button.tsx';
import { ExpiryDistance, MailFailure } from '../../components/license/urgency.tsx';
import { rowsQuery } from '../../components/list/rows-of-record.tsx';
import { InstallationBadge, LicenseStateBadge } from '../../components/record/badges.tsx';
import { LicenseLink, RecordLink } from '../../components/record/record-links.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { clientTexts } from '../../text/es-clients.ts';
import { withoutEnd } from '../../text/es-ends.ts';
import { formatDate, formatSeats } from '../../text/format.ts';
import { TextButton } from '../../ui/text-button.tsx';
import type { ClientTab } from './clients-search.ts';
import { LicenseNext } from './license-next.tsx';

/** The number of rows of a list in 'Resumen'; its tab shows all. */
const MOST = 4;

/** The usable licences of a client that end first: of many, the details hold only the newest. */
const urgentQuery = (client: number) =>
  rowsQuery<License>(
    { path: '/licenses/api/licenses/', filters: { client, is_active: true, ordering: 'expiry_date' } },
    1,
    MOST,
  );

interface ClientGlanceProps {
  client: ClientDetails;
  /** The newest of each; its counts are of all. */
  licenses: readonly License[];
  installations: readonly Installation[];
  onTab: (tab: ClientTab) => void;
}

/**
 * The data that support needs during a phone call: the client's licences, what expires, and the machines (LIST-04).
 */
export function ClientGlance({ client, licenses, installations, onTab }: ClientGlanceProps) {
  const { glance } = clientTexts;
  const licenseCount = client.license_count ?? licenses.length;
  const machineCount = client.installation_count ?? installations.length;
  const { data: urgent } = useQuery({ ...urgentQuery(client.id), enabled: licenseCount > licenses.length });
  if (licenses.length === 0) return null;
  const known = new Map([...licenses, ...(urgent?.rows ?? [])].map((license) => [license.id, license]));
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <GlanceList
        title={glance.licenses}
        count={licenseCount}
        all={glance.allLicenses(licenseCount)}
        onAll={() => onTab('licencias')}
      >
        {byUrgency([...known.values()], new Date())
          .slice(0, MOST)
          .map((license) => (
            <li key={license.id} className="py-2.5">
              <LicenseLine license={license} />
            </li>
          ))}
      </GlanceList>
      <GlanceList
        title={glance.machines}
        count={machineCount}
        all={glance.allMachines(machineCount)}
        onAll={() => onTab('instalaciones')}
      >
        {installations.length === 0 && <li className="py-2.5 text-muted">{glance.noMachines}</li>}
        {latestFirst(installations)
          .slice(0, MOST)
          .map((installation) => (
            <li key={installation.id} className="py-2.5">
              <MachineLine installation={installation} />
            </li>
          ))}
      </GlanceList>
    </div>
  );
}

interface GlanceListProps {
  title: string;
  count: number;
  /** 'Ver las 12 licencias' */
  all: string;
  onAll: () => void;
  children: ReactNode;
}

function GlanceList({ title, count, all, onAll, children }: GlanceListProps) {
  return (
    <section className="min-w-0">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="mt-1 divide-y divide-border">{children}</ul>
      {count > MOST && <TextButton onClick={onAll}>{all}</TextButton>}
    </section>
  );
}

interface GlanceLineProps {
  badge: ReactNode;
  /** The one button of the line. */
  button: ReactNode;
  children: ReactNode;
}

const GlanceLine = ({ badge, button, children }: GlanceLineProps) => (
  <div className="flex items-start justify-between gap-3">
    <div className="min-w-0">{children}</div>
    <div className="flex shrink-0 flex-col items-end gap-1.5">
      {badge}
      {button}
    </div>
  </div>
);

const LicenseLine = ({ license }: { license: License }) => (
  <GlanceLine badge={<LicenseStateBadge license={license} />} button={<LicenseNext license={license} />}>
    <p className="font-medium wrap-anywhere">
      <RecordLink kind="software" id={license.software.id} className="inline-block py-0.5">
        {license.software_name} <span className="font-normal text-muted">{license.software_version}</span>
      </RecordLink>
    </p>
    <LicenseLink id={license.id} licenseKey={license.license_key} className="inline-block min-h-6 text-xs" />
    <p className="flex flex-wrap gap-x-3 text-xs text-muted">
      {license.expiry_date === null ? (
        withoutEnd(license)
      ) : (
        <span>
          {formatDate(license.expiry_date)} · <ExpiryDistance license={license} />
        </span>
      )}
      <span>
        {clientTexts.glance.seats(formatSeats(license.current_installations, license.max_installations))}
      </span>
    </p>
    <MailFailure license={license} />
  </GlanceLine>
);

const MachineLine = ({ installation }: { installation: Installation }) => (
  <GlanceLine
    badge={<InstallationBadge isActive={isInstallationActive(installation.last_heartbeat, new Date())} />}
    button={
      <Offered what="installations.release">
        <ReleaseButton machine={installation} />
      </Offered>
    }
  >
    <p className="font-medium wrap-anywhere">
      {installation.machine_name || clientTexts.installation.unnamed}
    </p>
    <LicenseLink
      id={installation.license}
      licenseKey={installation.license_key}
      className="inline-block min-h-6 text-xs"
    />
    <p className="flex flex-wrap gap-x-3 text-xs text-muted">
      <span>{installation.software_name}</span>
      <RelativeTime value={installation.last_heartbeat} fallback={clientTexts.glance.noSignal} />
    </p>
  </GlanceLine>
);

/** Usable licences first, sorted by their end, the earliest first; then the others, the latest end first. */
function byUrgency(licenses: readonly License[], now: Date): License[] {
  const holds = ({ status, expiry_date }: License) =>
    (status === 'active' || status === 'trial') && !isExpired(expiry_date, now);
  const end = ({ expiry_date }: License) => (expiry_date === null ? Infinity : Date.parse(expiry_date));
  return [...licenses].sort((a, b) => {
    if (holds(a) !== holds(b)) return holds(a) ? -1 : 1;
    if (end(a) === end(b)) return b.id - a.id;
    return holds(a) ? end(a) - end(b) : end(b) - end(a);
  });
}

const latestFirst = (installations: readonly Installation[]): Installation[] =>
  [...installations].sort((a, b) => (b.last_heartbeat ?? '').localeCompare(a.last_heartbeat ?? ''));
