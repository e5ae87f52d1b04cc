import { clientCreate } from '../../../contract/clients/clients.ts';
import { CONTACTS_MAX, type Contact } from '../../../contract/clients/contact-words.ts';
import { CONTACT_MESSAGES } from '../../../contract/clients/contacts.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { special } from '../../components/record/form-fields.ts';
import { contactsInWords, contactTexts } from '../../text/es-contacts.ts';

/**
 * Converts contacts between the editor, the form's value and the API (DESK-04). The form's value is one text with all
 * contacts, so that it is compared, and asked about in a conflict, as one field.
 */

// The cast is safe: these texts are written only by writeContacts().
export const readContactsText = (text: string): Contact[] => JSON.parse(text) as Contact[];
export const writeContacts = (contacts: readonly Contact[]): string => JSON.stringify(contacts);

type ContactErrors = Partial<Record<'name' | 'email' | 'phone', string>>;

/** The rules say which contact is meant, because the API's errors are by field; here each stands at its input. */
const withoutPlace = (message: string) => message.replace(/^Contacto \d+: /, '');
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The errors of each contact, by input; an empty object for one without errors. */
export function contactLineErrors(contacts: readonly Contact[]): ContactErrors[] {
  const checked = clientCreate.shape.contacts.safeParse(contacts);
  const errors: ContactErrors[] = contacts.map(() => ({}));
  for (const { path, message } of checked.error?.issues ?? []) {
    const [at, field] = path;
    const line = typeof at === 'number' ? errors[at] : undefined;
    if (line && (field === 'name' || field === 'email' || field === 'phone'))
      line[field] ??= capitalized(withoutPlace(message));
  }
  return errors;
}

/** The message for the whole field; empty if all contacts are valid. */
export function contactErrors(text: string): { contacts?: string[] } {
  const contacts = readContactsText(text);
  if (contacts.length > CONTACTS_MAX) return { contacts: [CONTACT_MESSAGES.tooMany] };
  const isWrong = contactLineErrors(contacts).some((errors) => Object.keys(errors).length > 0);
  return isWrong ? { contacts: [contactTexts.fix] } : {};
}

/** The form field for contacts; `ContactsField` renders it. */
export const contactsIn = (label: string) =>
  special<string, Contact[]>(label, {
    blank: '[]',
    // A server that implements only the specification sends none.
    read: (record: { contacts?: Contact[] | undefined }) =>
      writeContacts(
        (record.contacts ?? []).map((contact) => ({ ...contact, email: shownMailAddress(contact.email) })),
      ),
    write: readContactsText,
    words: (text) => contactsInWords(readContactsText(String(text))),
  });
