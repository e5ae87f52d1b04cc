import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { TAG_MAX, TAGS_MAX } from '../../../contract/base/limits.ts';
import {
  cleanTag,
  eachTagOnce,
  TAG_SEPARATOR,
  tagKey,
  tagsIn,
  writtenTags,
} from '../../../contract/reading/tags.ts';
import { TAG_MESSAGES, type TaggedKind } from '../../../contract/tags/tags.ts';
import { tagTexts } from '../../text/es-tags.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { tagsQuery } from './tags.api.ts';

interface TagsFieldProps {
  label: string;
  on: TaggedKind;
  /** The tags as in one cell, between semicolons. */
  value: string;
  onChange: (value: string) => void;
  help?: ReactNode;
  error?: string | undefined;
  wide?: boolean;
}

/**
 * The tags of a record or a filter: chips, and a field that adds one with Enter, with a semicolon, or when it is left.
 * Tags that are in use are offered (DESK-03).
 */
export function TagsField({ label, on, value, onChange, help = tagTexts.help, error, wide }: TagsFieldProps) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const [said, setSaid] = useState('');
  const inputRef = useRef<HTMLInputElement>(null);
  const [isAsked, setAsked] = useState(false);
  const { data: used = [] } = useQuery({ ...tagsQuery(on), enabled: isAsked });
  const listId = useId();
  const tags = tagsIn(value);
  const keys = new Set(tags.map(tagKey));

  /** The spelling that is in use, else the typed one. */
  const spelled = (tag: string) => used.find((one) => tagKey(one.tag) === tagKey(tag))?.tag ?? tag;
  const add = (text: string) => {
    const requested = tagsIn(text).filter((tag) => tagKey(tag) !== '');
    const next = eachTagOnce([...tags, ...requested.map(spelled)]);
    const tooLong = requested.some((tag) => tag.length > TAG_MAX);
    if (tooLong || next.length > TAGS_MAX) {
      setTyped(text);
      setFault(tooLong ? TAG_MESSAGES.tooLong : TAG_MESSAGES.tooMany);
      return;
    }
    setTyped('');
    setFault(undefined);
    if (next.length === tags.length) return;
    setSaid(tagTexts.added(next.slice(tags.length).join(', ')));
    onChange(writtenTags(next));
  };
  const remove = (tag: string) => {
    setSaid(tagTexts.removed(tag));
    onChange(writtenTags(tags.filter((one) => one !== tag)));
    inputRef.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && cleanTag(typed) !== '') {
      // The form around it is not sent.
      event.preventDefault();
      add(typed);
    }
    const last = tags.at(-1);
    if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last);
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (tagsIn(text).length < 2) return;
    event.preventDefault();
    add(`${typed}${text}`);
  };
  return (
    <Field label={label} help={help} error={fault ?? error} {...(wide && { wide })}>
      {tags.length > 0 && (
        <ul aria-label={tagTexts.chosen} className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-full border border-border bg-sunken pr-0.5 pl-2.5 text-xs"
            >
              <bdi className="min-w-0 wrap-anywhere">{tag}</bdi>
              <button
                type="button"
                aria-label={tagTexts.remove(tag)}
                onClick={() => remove(tag)}
                className="inline-flex size-6 shrink-0 items-center justify-center rounded-full text-muted transition-colors hover:bg-surface hover:text-text pointer-coarse:size-9"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <TextInput
        ref={inputRef}
        value={typed}
        placeholder={tagTexts.placeholder}
        autoComplete="off"
        list={listId}
        onFocus={() => setAsked(true)}
        onChange={({ target, nativeEvent }) => {
          const isChosen = (nativeEvent as InputEvent).inputType === 'insertReplacementText';
          setFault(undefined);
          if (isChosen || target.value.includes(TAG_SEPARATOR)) add(target.value);
          else setTyped(target.value);
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add(typed)}
      />
      <datalist id={listId}>
        {used.flatMap(({ tag }) => (keys.has(tagKey(tag)) ? [] : <option key={tag} value={tag} />))}
      </datalist>
      <p role="status" className="sr-only">
        {said}
      </p>
    </Field>
  );
}
