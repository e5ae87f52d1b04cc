import { ACTIVATE_BY_DAYS_MAX, UPDATES_DAYS_MAX } from '../../../contract/base/limits.ts';
import { LICENSE_TYPE_LABELS as LABELS } from '../../../contract/license-types/license-types.fields.ts';
import { LICENSE_LABELS } from '../../../contract/licenses/licenses.fields.ts';
import { START_MODE_LABELS } from '../../../contract/licenses/sale-words.ts';
import { START_DEFAULTS, type StartMode } from '../../../contract/licenses/start.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { startModeInWords, saleTexts as texts } from '../../text/es-sales-options.ts';
import { formatDate } from '../../text/format.ts';
import { count, hiddenNumberOf, special } from '../record/form-fields.ts';

/** Form fields of types and licences about the start and the updates (SELL-01, SELL-02). */

/** A server that implements only the specification does not send this field. */
type KnownStart = { start_mode?: StartMode | undefined };
const startOf = ({ start_mode = START_DEFAULTS.start_mode }: KnownStart): StartMode => start_mode;

/** Blank days are not sent: the type's value or the stored value is used. The field is hidden for the other start. */
const daysOrNone = (typed: string, _isNew: boolean, { start_mode }: Readonly<Record<string, unknown>>) =>
  (start_mode === 'issue' ? hiddenNumberOf : numberOf)(typed, 'count') ?? undefined;

export const SALE_FIELDS_OF_TYPE = {
  start_mode: special<StartMode, StartMode>(LABELS.start_mode, {
    input: 'select',
    options: START_MODE_LABELS,
    blank: START_DEFAULTS.start_mode,
    read: startOf,
    write: (mode) => mode,
    words: startModeInWords,
    help: texts.startHelp,
    sent: 'changed',
  }),
  activate_by_days: count(LABELS.activate_by_days, {
    blank: String(START_DEFAULTS.activate_by_days),
    help: texts.activateByHelp,
    props: { min: '1', max: ACTIVATE_BY_DAYS_MAX },
    shownIf: ({ start_mode }) => start_mode === 'first_activation',
    write: daysOrNone,
    sent: 'changed',
  }),
  updates_days: count(LABELS.updates_days, {
    help: texts.updatesDaysHelp,
    props: { min: '1', max: UPDATES_DAYS_MAX },
    sent: 'changed',
  }),
};

/**
 * True if the start of a licence can still be chosen: for a new licence, and for one that waits for its activation.
 */
const isOpen = ({ start_is_open }: Readonly<Record<string, unknown>>) => start_is_open === true;

export const SALE_FIELDS_OF_LICENSE = {
  start_mode: special<StartMode | '', StartMode>(LABELS.start_mode, {
    input: 'select',
    options: START_MODE_LABELS,
    noneNew: texts.asType,
    blank: '',
    read: startOf,
    write: (mode) => (mode === '' ? undefined : mode),
    words: startModeInWords,
    help: texts.startHelp,
    shownIf: isOpen,
    sent: 'changed',
    fact: (license: KnownStart) =>
      license.start_mode === 'first_activation' && START_MODE_LABELS.first_activation,
  }),
  activate_by_days: count(LABELS.activate_by_days, {
    help: texts.activateByHelp,
    helpNew: texts.activateByHelpNew,
    props: { min: '1', max: ACTIVATE_BY_DAYS_MAX },
    shownIf: (values) => isOpen(values) && values.start_mode !== 'issue',
    write: daysOrNone,
    sent: 'changed',
  }),
  updates_until: special<string, string | null>(LICENSE_LABELS.updates_until, {
    input: 'date',
    blank: '',
    read: ({ updates_until }: { updates_until?: string | null }) => updates_until ?? '',
    // If it is blank in a new licence, the type's value is used.
    write: (day, isNew) => (day === '' ? (isNew ? undefined : null) : day),
    words: formatDate,
    help: texts.updatesUntilHelp,
    helpNew: texts.updatesUntilHelpNew,
    sent: 'changed',
    fact: ({ updates_until }: { updates_until?: string | null }) =>
      updates_until && formatDate(updates_until),
  }),
};
