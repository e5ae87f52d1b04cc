import type { Installation, ReleasedByStaff } from '../../../contract/programs/installations.ts';
import { errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { releaseTexts as texts } from '../../text/es-release.ts';
import { formatDate } from '../../text/format.ts';
import { toasts } from '../../ui/toasts.ts';
import { useRecordCall } from '../record/record-calls.ts';

/** What a machine is called: its name, or its id where it has none. */
export const nameOfMachine = ({ machine_name, machine_id }: Installation) => machine_name || machine_id;

/** Gives back the seat of a machine, and says what came of it. Resolves to whether it was given back. */
export function useReleaseSeat(): (installationId: number) => Promise<boolean> {
  const { mutateAsync } = useRecordCall('licenses', (installationId: number) =>
    request<ReleasedByStaff>('DELETE', `/licenses/api/installations/${installationId}/`),
  );
  return async (installationId) => {
    try {
      const { works_until } = await mutateAsync(installationId);
      toasts.success(texts.released, works_until && texts.worksUntil(formatDate(works_until)));
      return true;
    } catch (error) {
      toasts.error(texts.failed, errorMessage(error));
      return false;
    }
  };
}
