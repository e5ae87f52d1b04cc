import type { Contact } from '../../contract/clients/contact-words.ts';

/** Parses the contacts in a column. Most clients have none, and lists read many clients. */
export const readContacts = (column: string): Contact[] => (column === '[]' ? [] : JSON.parse(column));
