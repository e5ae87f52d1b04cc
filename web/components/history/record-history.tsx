import { historyTexts } from '../../text/es-events.ts';
import { EventHistory } from './event-history.tsx';
import { historyQuery, type Whose } from './history.api.ts';

/** The history of a client or a licence (EVENT-08). */
export const RecordHistory = ({ of }: { of: Whose }) => (
  <EventHistory
    query={historyQuery(of)}
    of={'client' in of ? 'client' : 'license'}
    failed={historyTexts.failed}
    empty={<p className="text-muted">{historyTexts.empty}</p>}
  />
);
