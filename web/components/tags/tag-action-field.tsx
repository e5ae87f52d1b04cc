import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { TAG_MAX } from '../../../contract/base/limits.ts';
import { TAG_SEPARATOR, tagKey } from '../../../contract/reading/tags.ts';
import { TAG_MESSAGES, type TaggedKind } from '../../../contract/tags/tags.ts';
import { tagTexts } from '../../text/es-tags.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { tagsQuery } from './tags.api.ts';

interface TagActionFieldProps {
  on: TaggedKind;
  /** True where the tag is taken away: then it is one of those in use. */
  removes: boolean;
  /** True after a submit: the field shows its error. */
  checked: boolean;
  /** Called with the fields for the request, and whether they are valid. */
  onChange: (fields: { tag: string }, isValid: boolean) => void;
}

/** The tag of the bulk actions that add or remove one (DESK-03). */
export function TagActionField({ on, removes, checked, onChange }: TagActionFieldProps) {
  const [tag, setTag] = useState('');
  const { data: used = [] } = useQuery(tagsQuery(on));
  const listId = useId();
  const fault = faultOf(tag, removes);
  useEffect(() => onChange({ tag }, fault === undefined), [onChange, tag, fault]);
  const change = ({ target }: { target: { value: string } }) => setTag(target.value);
  return (
    <Field label={tagTexts.one} required error={checked ? fault : undefined}>
      {removes ? (
        <Select
          value={tag}
          onChange={change}
          none={tagTexts.choose}
          choices={used.map((one) => [one.tag, one.tag])}
        />
      ) : (
        <>
          <TextInput value={tag} autoComplete="off" list={listId} onChange={change} />
          <datalist id={listId}>
            {used.map((one) => (
              <option key={one.tag} value={one.tag} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function faultOf(tag: string, removes: boolean): string | undefined {
  if (tagKey(tag) === '') return removes ? tagTexts.choose : TAG_MESSAGES.blank;
  if (tag.trim().length > TAG_MAX) return TAG_MESSAGES.tooLong;
  return tag.includes(TAG_SEPARATOR) ? TAG_MESSAGES.characters : undefined;
}
