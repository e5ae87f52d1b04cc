import { LEASE_MINUTES_MAX, LEASE_MINUTES_MIN, RELEASES_MAX } from '../../../contract/base/limits.ts';
import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import { SEAT_MODE_LABELS } from '../../../contract/licenses/sale-words.ts';
import {
  SEAT_DEFAULTS,
  type SeatMode,
  type SeatTerms,
  seatErrors,
  seatTerms,
} from '../../../contract/licenses/seats.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { yesNo } from '../../text/es.ts';
import { seatModeInWords, seatTexts as texts } from '../../text/es-sales-options.ts';
import { type FormField, hiddenNumberOf, special } from '../record/form-fields.ts';

/** The seat fields in the forms of types and licences, as typed texts (PROG-05, PROG-06). */
type SeatFormValues = {
  /** '' in a new licence means the type's value. */
  seat_mode: SeatMode | '';
  lease_minutes: string;
  /** '' in a new licence means the type's value. */
  self_release: 'true' | 'false' | '';
  releases_per_month: string;
};

/** The initial values of a new licence: blank fields get the values of its type. */
const SEATS_OF_TYPE: SeatFormValues = {
  seat_mode: '',
  lease_minutes: '',
  self_release: '',
  releases_per_month: '',
};

/** A server that implements only the specification does not send these fields: all its seats are fixed. */
type Known = { [Field in keyof SeatTerms]?: SeatTerms[Field] | undefined };

const textOf = (number: number | null) => (number === null ? '' : String(number));

function seatsToForm(known: Known): SeatFormValues {
  const { seat_mode, lease_minutes, self_release, releases_per_month } = seatTerms(known, SEAT_DEFAULTS);
  return {
    seat_mode,
    lease_minutes: textOf(lease_minutes),
    self_release: self_release ? 'true' : 'false',
    releases_per_month: textOf(releases_per_month),
  };
}

const isFloating = ({ seat_mode }: Readonly<Record<string, unknown>>) => seat_mode === 'floating';

/**
 * The form fields for seats, which {@link seatPayload} sends. Blank fields of a new licence get the values of its
 * type.
 */
function seatFields(blank: SeatFormValues) {
  const one = <Name extends keyof SeatFormValues>(
    name: Name,
    look: Partial<FormField<SeatFormValues[Name], undefined>>,
  ) =>
    special<SeatFormValues[Name]>(LABELS[name], {
      blank: blank[name],
      read: (record: Known) => seatsToForm(record)[name],
      ...look,
    });
  const noneNew = blank.seat_mode === '' && { noneNew: texts.asType };
  return {
    seat_mode: one('seat_mode', {
      input: 'select',
      options: SEAT_MODE_LABELS,
      ...noneNew,
      help: texts.modeHelp,
      words: seatModeInWords,
    }),
    lease_minutes: one('lease_minutes', {
      input: 'count',
      required: true,
      help: texts.leaseHelp,
      props: { min: LEASE_MINUTES_MIN, max: LEASE_MINUTES_MAX },
      shownIf: isFloating,
    }),
    self_release: one('self_release', {
      input: 'select',
      options: { false: yesNo(false), true: yesNo(true) },
      ...noneNew,
      help: texts.selfHelp,
      words: (value) => yesNo(value === 'true'),
      shownIf: (values) => !isFloating(values),
    }),
    releases_per_month: one('releases_per_month', {
      input: 'count',
      help: texts.releasesHelp,
      ...(noneNew && { helpNew: texts.releasesHelpNew }),
      props: { min: '1', max: RELEASES_MAX },
      shownIf: (values) => !isFloating(values) && values.self_release === 'true',
    }),
  };
}

export const SEAT_FIELDS_OF_TYPE = seatFields(seatsToForm(SEAT_DEFAULTS));
export const SEAT_FIELDS_OF_LICENSE = seatFields(SEATS_OF_TYPE);

/**
 * The values that were entered in the form. Blank fields of a new licence are absent, so that its type's values are
 * used.
 */
function typed(form: SeatFormValues, isByType: boolean): Known {
  const lease = (isFloating(form) ? numberOf : hiddenNumberOf)(form.lease_minutes, 'count');
  const isProgram = form.seat_mode !== 'floating' && form.self_release === 'true';
  const releases = (isProgram ? numberOf : hiddenNumberOf)(form.releases_per_month, 'count');
  const isFixed = form.seat_mode === 'fixed';
  return {
    ...(form.seat_mode !== '' && { seat_mode: form.seat_mode }),
    // The lease is hidden for fixed seats, so it is not sent.
    ...(!isFixed && (!isByType || lease !== null) && { lease_minutes: lease }),
    ...(form.self_release !== '' && { self_release: form.self_release === 'true' }),
    ...((!isByType || releases !== null) && { releases_per_month: releases }),
  };
}

/**
 * The seat fields of the request: only those that differ from the stored values.
 * @param known the stored values, or the defaults of a new type; null for a new licence, which gets the values of its
 * type
 */
export function seatPayload(form: SeatFormValues, known: Known | null): Known {
  const before: Known = known === null ? {} : seatTerms(known, SEAT_DEFAULTS);
  const changed = Object.entries(typed(form, known === null)).filter(
    ([field, value]) => value !== before[field as keyof SeatTerms],
  );
  return Object.fromEntries(changed);
}

/**
 * The errors of rules about several fields. If a new licence leaves the seat mode blank, the type provides the lease.
 */
export const seatFormErrors = (form: SeatFormValues): Record<string, string[]> =>
  form.seat_mode === ''
    ? {}
    : seatErrors({ seat_mode: form.seat_mode, lease_minutes: numberOf(form.lease_minutes, 'count') });
