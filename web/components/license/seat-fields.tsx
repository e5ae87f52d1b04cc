import type { UseFormRegisterReturn } from 'react-hook-form';
import { LEASE_MINUTES_MAX, LEASE_MINUTES_MIN, RELEASES_MAX } from '../../../contract/base/limits.ts';
import { SEAT_MODES } from '../../../contract/licenses/seats.ts';
import { yesNo } from '../../text/es.ts';
import { SEAT_FIELD_LABELS as LABELS, SEAT_MODE_LABELS, seatTexts as texts } from '../../text/es-seats.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { NumberInput } from '../../ui/text-input.tsx';
import type { SeatFormValues } from './seat-values.ts';

interface SeatFieldsProps {
  field: (name: keyof SeatFormValues) => UseFormRegisterReturn;
  error: (name: keyof SeatFormValues) => string | undefined;
  /** What is typed now: what does not apply to it is not shown. */
  values: Pick<SeatFormValues, 'seat_mode' | 'self_release'>;
  /** A new licence: blank fields are those of its type. */
  isByType?: boolean;
}

/** How machines hold the seats of a type or a licence (PROG-05, PROG-06). */
export function SeatFields({ field, error, values, isByType = false }: SeatFieldsProps) {
  const { seat_mode, self_release } = values;
  const isFloating = seat_mode === 'floating';
  return (
    <>
      <Field label={LABELS.seat_mode} error={error('seat_mode')} help={texts.modeHelp}>
        <Select {...field('seat_mode')} value={seat_mode}>
          {isByType && <option value="">{texts.asType}</option>}
          {SEAT_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {SEAT_MODE_LABELS[mode]}
            </option>
          ))}
        </Select>
      </Field>
      {isFloating ? (
        <Field label={LABELS.lease_minutes} required error={error('lease_minutes')} help={texts.leaseHelp}>
          <NumberInput
            {...field('lease_minutes')}
            min={LEASE_MINUTES_MIN}
            max={LEASE_MINUTES_MAX}
            step="1"
            inputMode="numeric"
          />
        </Field>
      ) : (
        <Field label={LABELS.self_release} error={error('self_release')} help={texts.selfHelp}>
          <Select {...field('self_release')} value={self_release}>
            {isByType && <option value="">{texts.asType}</option>}
            {(['false', 'true'] as const).map((value) => (
              <option key={value} value={value}>
                {yesNo(value === 'true')}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {!isFloating && self_release === 'true' && (
        <Field
          label={LABELS.releases_per_month}
          error={error('releases_per_month')}
          help={isByType ? texts.releasesHelpNew : texts.releasesHelp}
        >
          <NumberInput
            {...field('releases_per_month')}
            min="1"
            max={RELEASES_MAX}
            step="1"
            inputMode="numeric"
          />
        </Field>
      )}
    </>
  );
}
