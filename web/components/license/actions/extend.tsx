import { endAfterDays } from '../../../../contract/base/time.ts';
import { countsFrom } from '../../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../../contract/licenses/licenses.ts';
import { EXTENSION_DAYS_MAX } from '../../../../contract/licenses/verbs/extend.ts';
import { lifecycleTexts as texts } from '../../../text/es-license-action.ts';
import { businessTimeZoneInUse, formatDate } from '../../../text/format.ts';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { ActionFacts } from '../action-facts.tsx';
import { defineFields, typedNumber } from './action-definition.ts';

export const extend = defineFields({
  blank: { days: '7' },
  body: ({ days }) => ({ days: typedNumber(days, 'count') }),
  Fields: ({ values, errors, change }) => (
    <Field label={texts.days} required help={texts.daysHelp} error={errors.days}>
      <NumberInput
        unit="count"
        min={1}
        max={EXTENSION_DAYS_MAX}
        value={values.days}
        onChange={({ target: { value: days } }) => change({ days })}
      />
    </Field>
  ),
  Summary: ({ license, values }) => (
    <ActionFacts facts={[[texts.expires, extendedEnd(license, typedNumber(values.days, 'count'))]]} />
  ),
});

/** The end after an extension: days are added to the end, or to today if the licence has ended (LIFE-03). */
function extendedEnd({ expiry_date }: LicenseRow, days = 0): string {
  if (expiry_date === null || !Number.isInteger(days) || days < 1 || days > EXTENSION_DAYS_MAX)
    return texts.unknown;
  return formatDate(endAfterDays(countsFrom({ expiry_date }, new Date()), days, businessTimeZoneInUse()));
}
