import { type ComponentProps, useState } from 'react';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { releaseTexts as texts } from '../../text/es-release.ts';
import { relativeTime } from '../../text/relative-time.ts';
import type { Dialog } from '../../ui/dialog.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { FormDialog } from '../record/form-dialog.tsx';
import { nameOfMachine, useReleaseSeat } from './use-release-seat.ts';

interface ReleaseMachineDialogProps {
  license: License;
  onClose: () => void;
  finalFocus: ComponentProps<typeof Dialog>['finalFocus'];
}

/** 'Liberar un equipo' of a licence. The machine with the oldest heartbeat is preselected. */
export function ReleaseMachineDialog({ license, onClose, finalFocus }: ReleaseMachineDialogProps) {
  // Fixed when the dialog opens: if the last machine disappears from the licence, the dialog still closes as usual.
  const [machines] = useState(() => silentFirst(license.installations ?? []));
  const [chosenId, setChosenId] = useState(machines[0]?.id);
  const chosen = machines.find(({ id }) => id === chosenId) ?? machines[0];
  const release = useReleaseSeat();
  const [send, sending] = useOneAtATime(async () => {
    if (chosen !== undefined && (await release(chosen))) onClose();
  });
  if (chosen === undefined) return null;
  return (
    <FormDialog
      size="sm"
      title={texts.one}
      submitLabel={texts.release}
      busyLabel={texts.releasing}
      submitVariant="danger"
      saving={sending}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onClose={onClose}
      guard={null}
      recovered={false}
      merge={null}
      failure={null}
      finalFocus={finalFocus}
    >
      {machines.length > 1 && (
        <RadioChoices
          label={texts.which}
          choices={machines.map((machine) => ({
            value: String(machine.id),
            label: nameOfMachine(machine),
            text: lastSignal(machine),
          }))}
          value={String(chosen.id)}
          onChange={(id) => setChosenId(Number(id))}
        />
      )}
      {license.current_installations > machines.length && (
        <p className="text-muted">{texts.newestOnly(machines.length)}</p>
      )}
      <p className="text-muted wrap-anywhere">{texts.question(nameOfMachine(chosen))}</p>
    </FormDialog>
  );
}

const lastSignal = ({ last_heartbeat }: Installation) =>
  last_heartbeat === null
    ? texts.noSignal
    : texts.lastSignal(relativeTime(new Date(last_heartbeat), new Date()).toLowerCase());

/** The machines sorted by their last heartbeat, oldest first; without a heartbeat the activation counts. */
const silentFirst = (machines: readonly Installation[]) => {
  const signalAt = ({ last_heartbeat, installation_date }: Installation) =>
    Date.parse(last_heartbeat ?? installation_date);
  return machines.toSorted((one, other) => signalAt(one) - signalAt(other));
};
