import { queryOptions, useQuery } from '@tanstack/react-query';
import { usableUntil } from '../../../contract/licenses/license-state.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { EventPage } from '../../../contract/system/events.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { EVENTS_PATH } from '../../components/history/history.api.ts';
import { useShownState } from '../../components/record/use-shown-state.ts';
import { isMade, licenseStateTexts, type MadeStatus, madeBy } from '../../text/es-license.ts';
import { businessTimeZoneInUse, formatDate } from '../../text/format.ts';

/** How many of the latest changes are searched for the one that set the status. */
const MOST = 30;

/** The event that set the licence's status; null if the history does not contain it (an import). */
const madeQuery = (id: number, status: MadeStatus) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'made', id, status],
    queryFn: async ({ signal }) => {
      const type = ['license.updated', ...OWN_EVENTS.filter((own) => own === `license.${status}`)];
      const query = { license: id, type, limit: MOST };
      const { results } = await request<EventPage>('GET', EVENTS_PATH, { query, signal });
      const isIt = (event: EventPage['results'][number]) =>
        event.type === `license.${status}` || event.changes.status?.after === status;
      return results.find(isIt) ?? null;
    },
    staleTime: 0,
  });

/** Event types that only set one status. */
const OWN_EVENTS = ['license.suspended', 'license.cancelled'] as const;

/**
 * The text under the badge in the details: who set the status, when and why, or what the date means for programs
 * (D139).
 */
export function LicenseStateNote({ license }: { license: LicenseRow }) {
  const state = useShownState(license);
  if (isMade(state)) return <Made id={license.id} status={state} />;
  if (state === 'over') return licenseStateTexts.over;
  if (state !== 'grace') return null;
  const until = usableUntil(license, businessTimeZoneInUse());
  return until && licenseStateTexts.grace(formatDate(until));
}

/** The line is reserved from the start, so that nothing moves when the text is loaded. */
function Made({ id, status }: { id: number; status: MadeStatus }) {
  const { data: event } = useQuery(madeQuery(id, status));
  return <span className="block min-h-4">{event && madeBy(status, event)}</span>;
}
