import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventType, SubjectKind } from '../../../contract/system/events.ts';
import { ChosenClient } from '../../components/client/chosen-client.tsx';
import { FiltersDialog } from '../../components/list/filters-dialog.tsx';
import { softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { choicesOf } from '../../components/record/choices.ts';
import {
  AUDIT_FILTER_NAMES,
  auditTexts,
  EVENT_TYPE_LABELS,
  SUBJECT_KIND_LABELS,
} from '../../text/es-audit.ts';
import { ACTOR_KIND_LABELS } from '../../text/es-events.ts';
import { filterDialogTexts } from '../../text/es-filters.ts';
import { softwareOption } from '../../text/es-lists.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput } from '../../ui/text-input.tsx';
import { peopleQuery, typesIn } from './audit.api.ts';
import { type AuditSearch, readAuditSearch } from './audit-search.ts';
import { LicensePicker } from './license-picker.tsx';

/** The fields of the dialog besides the types of events, by their parameters in the address. */
const NAMES = ['actor_kind', 'user', 'client', 'license', 'software', 'from', 'to'] as const;
type Name = (typeof NAMES)[number];

/** The labels name every type, and bring no schema with them. */
const TYPES = choicesOf(EVENT_TYPE_LABELS);

interface AuditFiltersProps {
  search: AuditSearch;
  onApply: (search: AuditSearch) => void;
  onClose: () => void;
}

/** The dialog 'Filtros' of the audit; its fields are applied together, as one step of the history (EVENT-05). */
export function AuditFilters({ search, onApply, onClose }: AuditFiltersProps) {
  const [texts, setTexts] = useState(() => textsOf(search));
  const [types, setTypes] = useState<ReadonlySet<EventType>>(() => new Set(typesIn(search)));
  const [wrongRange, setWrongRange] = useState(false);
  const { data: software = [] } = useQuery(softwareOptionsQuery);
  const { data: people = [] } = useQuery(peopleQuery);
  const set = (name: Name) => (value: string) => setTexts((now) => ({ ...now, [name]: value }));
  const field = (name: Name) => ({
    value: texts[name],
    onChange: ({ target }: { target: { value: string } }) => set(name)(target.value),
  });
  const tick = (type: EventType, isOn: boolean) =>
    setTypes((now) => new Set(TYPES.filter((name) => (name === type ? isOn : now.has(name)))));

  const apply = (): boolean => {
    const wanted = readAuditSearch({ ...texts, type: [...types].join(',') });
    const isBackwards = wanted.from !== undefined && wanted.to !== undefined && wanted.to < wanted.from;
    setWrongRange(isBackwards);
    if (!isBackwards) onApply(wanted);
    return !isBackwards;
  };
  return (
    <FiltersDialog size="lg" onApply={apply} onClear={() => onApply({})} onClose={onClose}>
      <DialogSection title={auditTexts.sections.when}>
        <Field label={AUDIT_FILTER_NAMES.from}>
          <DateInput {...field('from')} />
        </Field>
        <Field label={AUDIT_FILTER_NAMES.to} error={wrongRange ? auditTexts.range : undefined}>
          <DateInput {...field('to')} />
        </Field>
      </DialogSection>
      <DialogSection title={auditTexts.sections.who}>
        <Field label={AUDIT_FILTER_NAMES.actor_kind}>
          <Select
            {...field('actor_kind')}
            none={filterDialogTexts.any}
            choices={Object.entries(ACTOR_KIND_LABELS)}
          />
        </Field>
        <Field label={AUDIT_FILTER_NAMES.user}>
          <Select
            {...field('user')}
            none={filterDialogTexts.any}
            choices={people.map(({ id, name }) => [id, name])}
          >
            {texts.user !== '' && !people.some(({ id }) => String(id) === texts.user) && (
              <option value={texts.user}>{auditTexts.unknownUser(Number(texts.user))}</option>
            )}
          </Select>
        </Field>
      </DialogSection>
      <DialogSection title={auditTexts.sections.about}>
        <Field label={AUDIT_FILTER_NAMES.client}>
          <ChosenClient id={texts.client} onChange={set('client')} />
        </Field>
        <Field label={AUDIT_FILTER_NAMES.license}>
          <LicensePicker id={texts.license} onChange={set('license')} />
        </Field>
        <Field label={AUDIT_FILTER_NAMES.software}>
          <Select
            {...field('software')}
            none={filterDialogTexts.any}
            choices={software.map(({ id, name, version }) => [id, softwareOption(name, version)])}
          />
        </Field>
      </DialogSection>
      <DialogSection title={auditTexts.sections.what} description={auditTexts.typesHint} columns={1}>
        <div className="gap-x-4 sm:columns-2">
          {choicesOf(SUBJECT_KIND_LABELS).map((kind) => (
            <TypeGroup key={kind} kind={kind} chosen={types} onTick={tick} />
          ))}
        </div>
      </DialogSection>
    </FiltersDialog>
  );
}

interface TypeGroupProps {
  kind: SubjectKind;
  chosen: ReadonlySet<EventType>;
  onTick: (type: EventType, isOn: boolean) => void;
}

const TypeGroup = ({ kind, chosen, onTick }: TypeGroupProps) => (
  <fieldset className="mb-4 min-w-0 break-inside-avoid">
    <legend className="mb-1 text-xs font-semibold text-muted">{SUBJECT_KIND_LABELS[kind]}</legend>
    {TYPES.filter((type) => type.startsWith(`${kind}.`)).map((type) => (
      <Checkbox
        key={type}
        label={EVENT_TYPE_LABELS[type]}
        checked={chosen.has(type)}
        onChange={({ target }) => onTick(type, target.checked)}
      />
    ))}
  </fieldset>
);

const textsOf = (search: AuditSearch) =>
  Object.fromEntries(NAMES.map((name) => [name, String(search[name] ?? '')])) as Record<Name, string>;
