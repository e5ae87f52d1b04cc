import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { CONTACT_TOPIC_LABELS, type Contact, receivedInWords } from '../../contract/clients/contact-words.ts';

/** Texts about the contacts of a client (DESK-04). */
export const contactTexts = {
  title: DETAIL_LABELS.contacts,
  help: 'Otras personas del cliente. Cada una recibe sus propios correos, además de los que recibe el cliente.',
  one: (number: number) => `Contacto ${number}`,
  /** The number of the contact, from 1, makes the names of its inputs unique. */
  ofContact: (label: string, number: number) => `${label} del contacto ${number}`,
  name: 'Nombre',
  email: DETAIL_LABELS.email,
  phone: DETAIL_LABELS.phone,
  receives: 'Recibe',
  add: 'Agregar contacto',
  full: (most: number) => `Ya son ${most}, que es lo más que se admite.`,
  remove: (name: string, number: number) => `Quitar ${name === '' ? `el contacto ${number}` : name}`,
  fix: 'Corrige los contactos marcados',
  /** In details, below a contact: 'Recibe claves y avisos · Entra al portal'. */
  gets: ({ receives }: Contact) => {
    const mails = receives.filter((topic) => topic !== 'portal');
    const said = [
      mails.length === 0 ? 'No recibe correos' : `Recibe ${receivedInWords(mails)}`,
      ...(receives.includes('portal') ? [CONTACT_TOPIC_LABELS.portal] : []),
    ];
    return said.join(' · ');
  },
  bounced: (day: string) => `Su correo rechaza los avisos desde el ${day}`,
  copyEmail: (name: string) => `Copiar el email de ${name}`,
  copyPhone: (name: string) => `Copiar el teléfono de ${name}`,
} as const;

/** 'Ana Ruiz <ana@example.com>: claves y avisos; …', for conflicts and histories; empty without contacts. */
export const contactsInWords = (contacts: readonly Contact[]): string =>
  contacts
    .map((contact) => `${contact.name} <${contact.email}>: ${receivedInWords(contact.receives)}`)
    .join('; ');
