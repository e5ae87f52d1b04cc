import { isInstallationActive } from '../../../contract/base/time.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { MachineProgram, SeatFile, SeatLease } from '../../components/license/machine-program.tsx';
import { ReleaseButton } from '../../components/license/release-button.tsx';
import { RowsOfRecord } from '../../components/list/rows-of-record.tsx';
import { InstallationBadge } from '../../components/record/badges.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { loadErrors, MACHINE_NOUN } from '../../text/es.ts';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { Code } from '../../ui/code.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { SilentMachines } from './floating-seats.tsx';

const { machines: texts } = licenseRecordTexts;

/** The machines that hold a seat of the licence, with their last heartbeat (LIST-04). */
export function LicenseMachines({ license }: { license: License }) {
  const newest = license.installations ?? [];
  return (
    <DialogSection title={texts.title} columns={1}>
      <SilentMachines license={license} />
      <RowsOfRecord
        rows={newest}
        count={license.current_installations ?? newest.length}
        list={{ path: '/licenses/api/installations/', filters: { license: license.id } }}
        noun={MACHINE_NOUN}
        failed={loadErrors.installations}
      >
        {(installations) => <Machines installations={installations} />}
      </RowsOfRecord>
    </DialogSection>
  );
}

function Machines({ installations }: { installations: readonly Installation[] }) {
  return (
    <>
      {installations.length === 0 ? (
        <p className="text-muted">{texts.none}</p>
      ) : (
        <ul className="divide-y divide-border">
          {installations.map((installation) => (
            <li key={installation.id} className="py-2.5 first:pt-0 last:pb-0">
              <Machine installation={installation} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Machine({ installation }: { installation: Installation }) {
  const { machine_name, machine_id, last_heartbeat } = installation;
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        {machine_name !== '' && <p className="font-medium wrap-anywhere">{machine_name}</p>}
        <Copyable text={machine_id} label={texts.copyId}>
          <Code>{machine_id}</Code>
        </Copyable>
        <MachineProgram of={installation} />
        <SeatLease of={installation} />
        <SeatFile of={installation} />
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5">
        <InstallationBadge isActive={isInstallationActive(last_heartbeat, new Date())} />
        <RelativeTime value={last_heartbeat} fallback={texts.never} className="text-xs text-muted" />
        <Offered what="installations.release">
          <ReleaseButton machine={installation} />
        </Offered>
      </div>
    </div>
  );
}
