import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { ChosenClient } from '../../components/client/chosen-client.tsx';
import { type LicensesSearch, readLicensesSearch } from '../../components/license/licenses-search.ts';
import { FiltersDialog } from '../../components/list/filters-dialog.tsx';
import { type Step, useApplied } from '../../components/list/use-applied.ts';
import { softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { TagsField } from '../../components/tags/tags-field.tsx';
import { EMAIL_STATUS_LABELS, LICENSE_ORDERING_LABELS } from '../../text/es.ts';
import { FILTER_HELP, filterDialogTexts } from '../../text/es-filters.ts';
import { FILTER_NAMES, softwareOption } from '../../text/es-lists.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { tagTexts } from '../../text/es-tags.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';

/** The fields of this dialog, by their parameters in the address. */
const NAMES = [
  'client',
  'software',
  'country',
  'tag',
  'expiry_from',
  'expiry_to',
  'expiring_within',
  'email_status',
  'active_within',
  'silent_for',
  'unused',
  'seats_full',
  'complimentary',
] as const;
const DAYS = ['expiring_within', 'active_within', 'silent_for'] as const;
type Name = (typeof NAMES)[number];
type Texts = Record<Name, string>;

interface LicensesMoreFiltersProps {
  search: LicensesSearch;
  quick: ReactNode;
  onNarrow: (changes: Partial<LicensesSearch>, step?: Step) => void;
  onClear: () => void;
  onClose: () => void;
}

/** The filters of the licences that have no select beside the search box (LIST-02). */
export function LicensesMoreFilters({ search, quick, onNarrow, onClear, onClose }: LicensesMoreFiltersProps) {
  const [texts, setTexts] = useState(() => textsOf(search));
  const errors = faultsOf(texts);
  const emailStates = mailStates(EMAIL_STATUS_LABELS, useMailIsStored());
  const { data: software = [] } = useQuery(softwareOptionsQuery);
  const set = (name: Name) => (value: string) => setTexts((now) => ({ ...now, [name]: value }));
  const field = (name: Name) => ({
    value: texts[name],
    onChange: ({ target }: { target: { value: string } }) => set(name)(target.value),
  });
  const days = (name: (typeof DAYS)[number]) => (
    <Field label={FILTER_NAMES[name]} help={FILTER_HELP[name]} error={errors[name]}>
      <NumberInput unit="count" min={1} {...field(name)} />
    </Field>
  );
  const flag = (name: 'unused' | 'seats_full' | 'complimentary') => (
    <Checkbox
      label={FILTER_NAMES[name]}
      checked={texts[name] === 'true'}
      onChange={({ target }) => set(name)(target.checked ? 'true' : '')}
    />
  );
  const { now, forget, step } = useApplied(texts, (typed, step) => {
    if (Object.keys(faultsOf(typed)).length > 0) return;
    const requested = requestedBy(typed);
    onNarrow(Object.fromEntries(NAMES.map((name) => [name, requested[name]])), step());
  });

  return (
    <FiltersDialog
      quick={quick}
      orderings={LICENSE_ORDERING_LABELS}
      ordering={search.ordering}
      onOrder={(ordering) => onNarrow({ ordering }, step())}
      onClear={() => {
        forget();
        onClear();
      }}
      onClose={() => {
        now();
        onClose();
      }}
    >
      <DialogSection title={filterDialogTexts.sections.who}>
        <Field label={FILTER_NAMES.client} wide>
          <ChosenClient id={texts.client} onChange={set('client')} />
        </Field>
        <Field label={FILTER_NAMES.software}>
          <Select
            {...field('software')}
            none={filterDialogTexts.any}
            choices={software.map(({ id, name, version }) => [id, softwareOption(name, version)])}
          />
        </Field>
        <Field label={FILTER_NAMES.country}>
          <TextInput {...field('country')} />
        </Field>
        <TagsField
          label={FILTER_NAMES.tag}
          help={tagTexts.filterHelp}
          on="licenses"
          value={texts.tag}
          onChange={set('tag')}
          wide
        />
      </DialogSection>
      <DialogSection title={filterDialogTexts.sections.expiry}>
        <Field label={FILTER_NAMES.expiry_from}>
          <DateInput {...field('expiry_from')} />
        </Field>
        <Field label={FILTER_NAMES.expiry_to} error={errors.expiry_to}>
          <DateInput {...field('expiry_to')} />
        </Field>
        {days('expiring_within')}
      </DialogSection>
      <DialogSection title={filterDialogTexts.sections.use}>
        <Field label={FILTER_NAMES.email_status}>
          <Select
            {...field('email_status')}
            none={filterDialogTexts.any}
            choices={choicesOf(EMAIL_STATUS_LABELS).map((key) => [key, emailStates[key]])}
          />
        </Field>
        <div className="space-y-2 sm:pt-6">
          {flag('unused')}
          {flag('seats_full')}
          {flag('complimentary')}
        </div>
        {days('active_within')}
        {days('silent_for')}
      </DialogSection>
    </FiltersDialog>
  );
}

const textsOf = (search: LicensesSearch) =>
  Object.fromEntries(NAMES.map((name) => [name, String(search[name] ?? '')])) as Texts;

/** The filters for typed texts; undefined for a number of days that is none. */
const requestedBy = (texts: Texts) =>
  readLicensesSearch({
    ...texts,
    ...Object.fromEntries(DAYS.map((name) => [name, String(numberOf(texts[name], 'count'))])),
  });

/** The fields with invalid values, each with its message. */
function faultsOf(texts: Texts): Partial<Texts> {
  const read = requestedBy(texts);
  const faults: Partial<Texts> = {};
  for (const name of DAYS) {
    if (texts[name] !== '' && read[name] === undefined) faults[name] = filterDialogTexts.dayCount;
  }
  if (read.expiry_from && read.expiry_to && read.expiry_to < read.expiry_from) {
    faults.expiry_to = filterDialogTexts.expiryRange;
  }
  return faults;
}
