import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { EventType, SubjectKind } from '../../../contract/system/events.ts';
import { ChosenClient } from '../../components/client/chosen-client.tsx';
import { FiltersDialog } from '../../components/list/filters-dialog.tsx';
import { type Step, useApplied } from '../../components/list/use-applied.ts';
import { softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { choicesOf } from '../../components/record/choices.ts';
import {
  AUDIT_FILTER_NAMES,
  AUDIT_GROUPS,
  auditTexts,
  choiceTexts,
  EVENT_TYPE_LABELS,
} from '../../text/es-audit.ts';
import { ACTOR_KIND_LABELS } from '../../text/es-events.ts';
import { filterDialogTexts } from '../../text/es-filters.ts';
import { softwareOption } from '../../text/es-lists.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { DateInput } from '../../ui/text-input.tsx';
import { peopleQuery, typesIn } from './audit.api.ts';
import { type AuditSearch, readAuditSearch } from './audit-search.ts';
import { LicensePicker } from './license-picker.tsx';

/** The fields of the dialog other than the event types, by their parameters in the address. */
const NAMES = ['actor_kind', 'user', 'client', 'license', 'software', 'from', 'to'] as const;
type Name = (typeof NAMES)[number];

/** Read from the labels, which are loaded anyway; the contract's list would load the schemas too. */
const TYPES = choicesOf(EVENT_TYPE_LABELS);

interface AuditFiltersProps {
  search: AuditSearch;
  onApply: (search: AuditSearch, step?: Step) => void;
  onClose: () => void;
}

/** The dialog 'Filtros' of the audit. Each field is applied as soon as it is changed (EVENT-05). */
export function AuditFilters({ search, onApply, onClose }: AuditFiltersProps) {
  const [requested, setRequested] = useState(() => ({ texts: textsOf(search), types: typesIn(search) }));
  const { texts, types } = requested;
  const { data: software = [] } = useQuery(softwareOptionsQuery);
  const { data: people = [] } = useQuery(peopleQuery);
  const set = (name: Name) => (value: string) =>
    setRequested((now) => ({ ...now, texts: { ...now.texts, [name]: value } }));
  const field = (name: Name) => ({
    value: texts[name],
    onChange: ({ target }: { target: { value: string } }) => set(name)(target.value),
  });
  const tick = (ticked: readonly EventType[], isOn: boolean) =>
    setRequested((now) => ({
      ...now,
      types: TYPES.filter((name) => (ticked.includes(name) ? isOn : now.types.includes(name))),
    }));
  const wrongRange = isBackwards(readAuditSearch(texts));
  const { now, forget } = useApplied(requested, (chosen, step) => {
    const asked = readAuditSearch({ ...chosen.texts, type: chosen.types.join(',') });
    if (!isBackwards(asked)) onApply(asked, step());
  });
  return (
    <FiltersDialog
      size="lg"
      onClear={() => {
        forget();
        onApply({});
      }}
      onClose={() => {
        now();
        onClose();
      }}
    >
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
        <div>
          {AUDIT_GROUPS.map(({ label, kinds }) => (
            <TypeGroup key={label} label={label} kinds={kinds} chosen={types} onTick={tick} />
          ))}
        </div>
      </DialogSection>
    </FiltersDialog>
  );
}

interface TypeGroupProps {
  label: string;
  kinds: readonly SubjectKind[];
  chosen: readonly EventType[];
  onTick: (types: readonly EventType[], isOn: boolean) => void;
}

/** The event types of a group: a checkbox for all, and one for each type. */
function TypeGroup({ label, kinds, chosen, onTick }: TypeGroupProps) {
  const types = TYPES.filter((type) => kinds.includes(subjectKindOf(type)));
  const count = types.filter((type) => chosen.includes(type)).length;
  const isWhole = count === types.length;
  const [open, setOpen] = useState(count > 0 && !isWhole);
  const listId = useId();
  const some = count > 0 && !isWhole ? choiceTexts.chosen(count, types.length) : choiceTexts.some;
  const offer = open ? choiceTexts.hide : some;
  return (
    <div className="border-t border-border py-2 first:border-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Checkbox label={label} checked={isWhole} onChange={({ target }) => onTick(types, target.checked)} />
        <TextButton
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-label={choiceTexts.of(offer, label)}
          className="text-xs"
          onClick={() => setOpen(!open)}
        >
          {offer}
        </TextButton>
      </div>
      {open && (
        <div id={listId} className="gap-x-4 pl-7 sm:columns-2">
          {types.map((type) => (
            <Checkbox
              key={type}
              className="break-inside-avoid"
              label={EVENT_TYPE_LABELS[type]}
              checked={chosen.includes(type)}
              onChange={({ target }) => onTick([type], target.checked)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/**
 * The kind of record of a type: its first word. Repeated here, because the contract's function would load its schemas.
 */
const subjectKindOf = (type: EventType) => type.slice(0, type.indexOf('.')) as SubjectKind;

const isBackwards = ({ from, to }: Partial<AuditSearch>) =>
  from !== undefined && to !== undefined && to < from;

const textsOf = (search: AuditSearch) =>
  Object.fromEntries(NAMES.map((name) => [name, String(search[name] ?? '')])) as Record<Name, string>;
