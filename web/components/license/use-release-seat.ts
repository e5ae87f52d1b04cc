import type { Installation, ReleasedByStaff } from '../../../contract/programs/installations.ts';
import { errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { actions } from '../../text/es.ts';
import { releaseTexts as texts } from '../../text/es-release.ts';
import { formatDate } from '../../text/format.ts';
import { toasts } from '../../ui/toasts.ts';
import { useRecordCall } from '../record/record-calls.ts';
import { orToast } from '../record/use-action.ts';

export type ReleasedMachine = Pick<Installation, 'id' | 'machine_name' | 'machine_id'>;

/** The displayed name of a machine: its name, or its id if it has no name. */
export const nameOfMachine = ({ machine_name, machine_id }: Omit<ReleasedMachine, 'id'>) =>
  machine_name || machine_id;

const INSTALLATIONS = '/licenses/api/installations/';

/**
 * Releases the seat of a machine at once, and shows the result in a toast with 'Deshacer'. Resolves to whether the
 * seat was released.
 */
export function useReleaseSeat(): (machine: ReleasedMachine) => Promise<boolean> {
  const { mutateAsync } = useRecordCall('licenses', ({ id }: ReleasedMachine) =>
    request<ReleasedByStaff>('DELETE', `${INSTALLATIONS}${id}/`, { query: { undo: '1' } }),
  );
  const { mutateAsync: takeBack } = useRecordCall('licenses', (undo: string) =>
    request<Installation>('POST', `${INSTALLATIONS}undo_release/`, { body: { undo } }),
  );
  return async (machine) => {
    const name = nameOfMachine(machine);
    try {
      const { works_until, undo } = await mutateAsync(machine);
      const said = [name, ...(works_until ? [texts.worksUntil(formatDate(works_until))] : [])];
      const run = () =>
        orToast(texts.undoFailed, async () => {
          await takeBack(undo ?? '');
          toasts.success(texts.undone, name);
        });
      // Servers of earlier versions cannot undo a release.
      const action = undo === undefined ? undefined : { label: actions.undo, run: () => void run() };
      toasts.success(texts.released, said.join('. '), action);
      return true;
    } catch (error) {
      toasts.error(texts.failed, errorMessage(error));
      return false;
    }
  };
}
