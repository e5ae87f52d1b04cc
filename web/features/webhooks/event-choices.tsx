import { useEffect, useId, useRef, useState } from 'react';
import type { SubjectKind } from '../../../contract/system/events.ts';
import { useMay } from '../../api/permissions.ts';
import { EVENT_TYPE_LABELS, SUBJECT_KIND_LABELS } from '../../text/es-audit.ts';
import { eventChoiceTexts as texts, WEBHOOK_LABELS } from '../../text/es-webhooks.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorText } from '../../ui/field.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import {
  ALL,
  kindsFor,
  readTypes,
  refusedTypes,
  tickKind,
  tickType,
  typesInWords,
  typesOfKind,
  wildcardOf,
  writeTypes,
} from './webhook-types.ts';

interface EventChoicesProps {
  /** The event types as the form's value. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The events that a webhook gets: all, all of a kind of record, or single event types (HOOK-01). */
export function EventChoices({ value, onChange, error }: EventChoicesProps) {
  const types = readTypes(value);
  const may = useMay();
  const kinds = kindsFor(may);
  const refused = refusedTypes(types, may);
  const isAll = types.includes(ALL);
  const mayAll = refusedTypes([ALL], may).length === 0;
  const group = useRef<HTMLFieldSetElement>(null);
  const errorId = useId();
  // The form focuses its first invalid input. This field has no such input, so it focuses its first checkbox itself.
  useEffect(() => {
    const others = group.current?.closest('form')?.querySelector('[aria-invalid=true]');
    if (error !== undefined && !others) group.current?.querySelector('input')?.focus();
  }, [error]);
  return (
    <fieldset
      ref={group}
      aria-describedby={error === undefined ? undefined : errorId}
      className="min-w-0 space-y-3"
    >
      <legend className="sr-only">{WEBHOOK_LABELS.types}</legend>
      {error !== undefined && <ErrorText id={errorId}>{error}</ErrorText>}
      {refused.length > 0 && (
        <Banner
          tone="warning"
          action={
            <TextButton onClick={() => onChange(writeTypes(types.filter((word) => !refused.includes(word))))}>
              {texts.removeRefused}
            </TextButton>
          }
        >
          {texts.refused(typesInWords(refused, Number.POSITIVE_INFINITY).join(', '))}
        </Banner>
      )}
      {(mayAll || isAll) && (
        <Checkbox
          label={texts.all}
          help={texts.allHelp}
          checked={isAll}
          onChange={({ target }) => onChange(target.checked ? ALL : '')}
        />
      )}
      {!isAll && (
        <div>
          {kinds.map((kind) => (
            <KindChoice
              key={kind}
              kind={kind}
              types={types}
              onChange={(next) => onChange(writeTypes(next))}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

interface KindChoiceProps {
  kind: SubjectKind;
  types: readonly string[];
  onChange: (types: string[]) => void;
}

/** A checkbox for all events of a kind, and one for each event type. */
function KindChoice({ kind, types, onChange }: KindChoiceProps) {
  const label = SUBJECT_KIND_LABELS[kind];
  const ofKind = typesOfKind(kind);
  const isWhole = types.includes(wildcardOf(kind));
  const count = ofKind.filter((type) => types.includes(type)).length;
  const [open, setOpen] = useState(count > 0);
  const listId = useId();
  const some = count > 0 ? texts.chosen(count, ofKind.length) : texts.some;
  const offer = open ? texts.hide : some;
  return (
    <div className="border-t border-border py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Checkbox
          label={texts.allOf(label)}
          checked={isWhole}
          onChange={({ target }) => onChange(tickKind(types, kind, target.checked))}
        />
        <TextButton
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-label={texts.of(offer, label)}
          className="text-xs"
          onClick={() => setOpen(!open)}
        >
          {offer}
        </TextButton>
      </div>
      {open && (
        <div id={listId} className="gap-x-4 pl-7 sm:columns-2">
          {ofKind.map((type) => (
            <Checkbox
              key={type}
              label={EVENT_TYPE_LABELS[type]}
              checked={isWhole || types.includes(type)}
              onChange={({ target }) => onChange(tickType(types, type, target.checked))}
            />
          ))}
        </div>
      )}
    </div>
  );
}
