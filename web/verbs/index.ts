import {
  type BulkLifeAction,
  LICENSE_ACTIONS,
  type LicenseAction,
  VERBS,
} from '../../contract/licenses/verbs/index.ts';
import { addSeats } from './add-seats.ts';
import { cancel } from './cancel.ts';
import { extend } from './extend.ts';
import { reinstate } from './reinstate.ts';
import { renew } from './renew.ts';
import { replaceKey } from './replace-key.ts';
import { suspend } from './suspend.ts';
import { transfer } from './transfer.ts';
import type { VerbWords } from './verb-words.ts';

type WordsOf<Action> = VerbWords &
  // A bulk action without the texts for many licences does not compile.
  (Action extends BulkLifeAction ? Required<Pick<VerbWords, 'many'>> : unknown);

/** The verbs on a licence in the console (LIFE-05). A missing verb is a compile error. */
export const VERB_WORDS: { [Action in LicenseAction]: WordsOf<Action> } = {
  renew,
  add_seats: addSeats,
  extend,
  suspend,
  reinstate,
  cancel,
  transfer,
  replace_key: replaceKey,
};

type VerbEvent = (typeof VERBS)[LicenseAction]['event'];

/** What a verb says of its event, by the event's type. */
export const byVerbEvent = <Said>(say: (words: VerbWords) => Said) =>
  // The cast is needed because fromEntries loses the names.
  Object.fromEntries(
    LICENSE_ACTIONS.map((action) => [VERBS[action].event, say(VERB_WORDS[action])]),
  ) as Record<VerbEvent, Said>;
