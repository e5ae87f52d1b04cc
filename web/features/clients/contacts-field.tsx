import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import {
  CONTACT_TOPIC_LABELS,
  CONTACT_TOPICS,
  CONTACTS_MAX,
  type Contact,
  type ContactTopic,
} from '../../../contract/clients/contact-words.ts';
import { useMailOffer, usePhoneOffer } from '../../components/client/field-offers.tsx';
import { contactTexts as texts } from '../../text/es-contacts.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorText, Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { contactLineErrors, readContactsText, writeContacts } from './contact-lines.ts';

interface ContactsFieldProps {
  /** The contacts as one text, the form's value. */
  value: string;
  onChange: (value: string) => void;
  /** The client's country, by which phones are read. */
  country: string;
  error: string | undefined;
}

const BLANK: Contact = { name: '', email: '', phone: '', receives: [] };

/** The contacts of a client: name, address and phone of each, and what it receives (DESK-04). */
export function ContactsField({ value, onChange, country, error }: ContactsFieldProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const [errorId, helpId] = [useId(), useId()];
  // Errors are shown from the first attempt to save. Mending one contact does not hide the errors of others.
  const [isChecked, setChecked] = useState(false);
  if (error !== undefined && !isChecked) setChecked(true);
  const contacts = readContactsText(value);
  const faults = isChecked ? contactLineErrors(contacts) : [];
  const change = (all: readonly Contact[]) => onChange(writeContacts(all));

  /** Focuses the name of a contact after it is rendered; without contacts the button that adds one. */
  const focusContact = (index: number) =>
    requestAnimationFrame(() => {
      const names = group.current?.querySelectorAll<HTMLInputElement>('[data-contact-name]');
      const target = names?.[Math.min(index, names.length - 1)];
      (target ?? group.current?.querySelector('button'))?.focus();
    });

  return (
    <fieldset
      ref={group}
      aria-describedby={[error && errorId, helpId].filter(Boolean).join(' ')}
      className="min-w-0 space-y-3 sm:col-span-2"
    >
      <legend className="text-sm font-semibold text-text">{texts.title}</legend>
      <p id={helpId} className="text-xs text-muted">
        {texts.help}
      </p>
      {contacts.map((contact, index) => (
        <ContactCard
          // biome-ignore lint/suspicious/noArrayIndexKey: contacts have no id, and their inputs are controlled
          key={index}
          contact={contact}
          number={index + 1}
          errors={faults[index] ?? {}}
          country={country}
          onChange={(part) =>
            change(contacts.map((other, at) => (at === index ? { ...other, ...part } : other)))
          }
          onRemove={() => {
            change(contacts.filter((_contact, at) => at !== index));
            focusContact(index);
          }}
        />
      ))}
      {contacts.length < CONTACTS_MAX ? (
        <Button
          size="sm"
          icon={Plus}
          onClick={() => {
            change([...contacts, BLANK]);
            focusContact(contacts.length);
          }}
        >
          {texts.add}
        </Button>
      ) : (
        <p className="text-xs text-muted">{texts.full(CONTACTS_MAX)}</p>
      )}
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
    </fieldset>
  );
}

interface ContactCardProps {
  contact: Contact;
  number: number;
  errors: Partial<Record<'name' | 'email' | 'phone', string>>;
  country: string;
  onChange: (part: Partial<Contact>) => void;
  onRemove: () => void;
}

function ContactCard({ contact, number, errors, country, onChange, onRemove }: ContactCardProps) {
  const card = useRef<HTMLFieldSetElement>(null);
  /** Puts in what was meant. Its button disappears, and the focus returns to the input. */
  const use = (field: 'email' | 'phone') => (meant: string) => {
    onChange({ [field]: meant });
    card.current?.querySelector<HTMLInputElement>(`[data-contact-${field}]`)?.focus();
  };
  const emailOffer = useMailOffer({ typed: contact.email, onUse: use('email') });
  const phoneOffer = usePhoneOffer({ typed: contact.phone, country, onUse: use('phone') });
  const toggle = (topic: ContactTopic, isOn: boolean) =>
    onChange({
      receives: CONTACT_TOPICS.filter((one) => (one === topic ? isOn : contact.receives.includes(one))),
    });
  return (
    <fieldset ref={card} className="min-w-0 rounded-lg border border-border p-3">
      <legend className="sr-only">{texts.one(number)}</legend>
      <div className="mb-2 flex items-center justify-between gap-2">
        <span aria-hidden className="text-xs font-medium text-muted">
          {texts.one(number)}
        </span>
        <button
          type="button"
          aria-label={texts.remove(contact.name.trim(), number)}
          onClick={onRemove}
          className="-m-2 inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:text-text pointer-coarse:size-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={texts.ofContact(texts.name, number)} required error={errors.name} wide>
          <TextInput
            data-contact-name
            value={contact.name}
            onChange={({ target }) => onChange({ name: target.value })}
            autoComplete="off"
          />
        </Field>
        <Field
          label={texts.ofContact(texts.email, number)}
          required
          error={errors.email}
          warning={emailOffer}
        >
          <TextInput
            data-contact-email
            type="email"
            value={contact.email}
            onChange={({ target }) => onChange({ email: target.value })}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label={texts.ofContact(texts.phone, number)} error={errors.phone} warning={phoneOffer}>
          <TextInput
            data-contact-phone
            type="tel"
            value={contact.phone}
            onChange={({ target }) => onChange({ phone: target.value })}
            autoComplete="off"
          />
        </Field>
        <fieldset className="sm:col-span-2">
          <legend className="mb-1 text-sm font-medium text-text">{texts.receives}</legend>
          <div className="grid gap-x-4 sm:grid-cols-2">
            {CONTACT_TOPICS.map((topic) => (
              <Checkbox
                key={topic}
                label={CONTACT_TOPIC_LABELS[topic]}
                checked={contact.receives.includes(topic)}
                onChange={({ target }) => toggle(topic, target.checked)}
              />
            ))}
          </div>
        </fieldset>
      </div>
    </fieldset>
  );
}
