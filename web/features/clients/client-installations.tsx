import { MonitorSmartphone } from 'lucide-react';
import { isInstallationActive } from '../../../contract/base/time.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { MachineProgram, SeatFile, SeatLease } from '../../components/license/machine-program.tsx';
import { ReleaseButton } from '../../components/license/release-button.tsx';
import { InstallationBadge, LicenseCategoryBadge } from '../../components/record/badges.tsx';
import { DateTime } from '../../components/record/date-time.tsx';
import { LicenseLink } from '../../components/record/record-links.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { clientTexts } from '../../text/es-clients.ts';
import { Code } from '../../ui/code.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** All installations of a client: the flat list if the server sends it, else those of its licences (D114). */
export const installationsOf = (client: ClientDetails): Installation[] =>
  client.installations ?? (client.licenses ?? []).flatMap((license) => license.installations ?? []);

/** Tab 'Instalaciones' (SEED-2.7-22 to -26). */
export function ClientInstallations({ installations }: { installations: readonly Installation[] }) {
  if (installations.length === 0) {
    return (
      <EmptyState
        icon={MonitorSmartphone}
        title={clientTexts.noInstallations}
        hint={clientTexts.noInstallationsHint}
      />
    );
  }
  return (
    <ul className="space-y-4">
      {installations.map((installation) => (
        <li key={installation.id} className="rounded-xl border border-border p-4">
          <InstallationItem installation={installation} />
        </li>
      ))}
    </ul>
  );
}

function InstallationItem({ installation }: { installation: Installation }) {
  const texts = clientTexts.installation;
  return (
    <article className="space-y-4">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-semibold wrap-anywhere">{installation.machine_name || texts.unnamed}</h3>
          <p className="text-muted wrap-anywhere">
            {installation.software_name} {installation.software_version}
          </p>
          <MachineProgram of={installation} />
          <SeatLease of={installation} />
          <SeatFile of={installation} />
        </div>
        <div className="flex items-center gap-3">
          {/* Computed from the heartbeat and the current time, not taken from the answer (SEED-4-12, D109). */}
          <InstallationBadge isActive={isInstallationActive(installation.last_heartbeat, new Date())} />
          <Offered what="installations.release">
            <ReleaseButton machine={installation} />
          </Offered>
        </div>
      </header>
      <Facts columns={3}>
        <Fact label={clientTexts.license.type}>
          <LicenseCategoryBadge category={installation.license_type} />
        </Fact>
        <Fact label={clientTexts.license.key}>
          <LicenseLink id={installation.license} licenseKey={installation.license_key} />
        </Fact>
        <Fact label={texts.machineId}>
          <Copyable text={installation.machine_id} label={clientTexts.copy.machineId}>
            <Code>{installation.machine_id}</Code>
          </Copyable>
        </Fact>
        {installation.mac_address && (
          <Fact label={texts.mac}>
            <Copyable text={installation.mac_address} label={clientTexts.copy.mac}>
              <Code>{installation.mac_address}</Code>
            </Copyable>
          </Fact>
        )}
        {installation.ip_address && (
          <Fact label={texts.ip}>
            <Copyable text={installation.ip_address} label={clientTexts.copy.ip}>
              <Code>{installation.ip_address}</Code>
            </Copyable>
          </Fact>
        )}
        <Fact label={texts.installed}>
          <DateTime value={installation.installation_date} />
        </Fact>
        <Fact label={texts.heartbeat}>
          {installation.last_heartbeat ? (
            <>
              <DateTime value={installation.last_heartbeat} className="block" />
              <RelativeTime value={installation.last_heartbeat} className="text-xs text-muted" />
            </>
          ) : (
            texts.never
          )}
        </Fact>
        {installation.notes && (
          <Fact label={texts.notes} wide>
            <span className="whitespace-pre-line">{installation.notes}</span>
          </Fact>
        )}
      </Facts>
    </article>
  );
}
