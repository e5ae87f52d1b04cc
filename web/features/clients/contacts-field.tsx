import { useRef, useState } from 'react';
import {
  CONTACT_TOPIC_LABELS,
  CONTACT_TOPICS,
  CONTACTS_MAX,
  type Contact,
  type ContactTopic,
} from '../../../contract/clients/contact-words.ts';
import { useMailOffer, usePhoneOffer } from '../../components/client/field-offers.tsx';
import { CardList } from '../../components/record/card-list.tsx';
import { contactTexts as texts } from '../../text/es-contacts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
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
  // Errors are shown from the first attempt to save. Mending one contact does not hide the errors of others.
  const [isChecked, setChecked] = useState(false);
  if (error !== undefined && !isChecked) setChecked(true);
  const contacts = readContactsText(value);
  const faults = isChecked ? contactLineErrors(contacts) : [];

  return (
    <CardList
      items={contacts}
      onChange={(all) => onChange(writeContacts(all))}
      max={CONTACTS_MAX}
      blank={() => BLANK}
      texts={texts}
      nameOf={({ name }) => name}
      focused="[data-contact-name]"
      error={error}
      className="sm:col-span-2"
    >
      {(contact, index, onPart) => (
        <ContactInputs
          contact={contact}
          number={index + 1}
          errors={faults[index] ?? {}}
          country={country}
          onChange={onPart}
        />
      )}
    </CardList>
  );
}

interface ContactInputsProps {
  contact: Contact;
  number: number;
  errors: Partial<Record<'name' | 'email' | 'phone', string>>;
  country: string;
  onChange: (part: Partial<Contact>) => void;
}

function ContactInputs({ contact, number, errors, country, onChange }: ContactInputsProps) {
  const card = useRef<HTMLDivElement>(null);
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
    <div ref={card} className="grid gap-3 sm:grid-cols-2">
      <Field label={texts.ofContact(texts.name, number)} required error={errors.name} wide>
        <TextInput
          data-contact-name
          value={contact.name}
          onChange={({ target }) => onChange({ name: target.value })}
          autoComplete="off"
        />
      </Field>
      <Field label={texts.ofContact(texts.email, number)} required error={errors.email} warning={emailOffer}>
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
  );
}
