import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { requiredLine } from '../base/text.ts';
import { mailKey, requiredMailAddress } from '../reading/mail-addresses.ts';
import { CONTACT_TOPICS, CONTACTS_MAX, type Contact } from './contact-words.ts';

/** The contacts of a client: persons with an address of their own (DESK-04, docs/decisions/142). */

export const CONTACT_MESSAGES = {
  contact: 'Indica name, email, phone y receives',
  list: 'Indica una lista de contactos',
  nameRequired: 'El nombre del contacto es obligatorio',
  emailRequired: 'El email del contacto es obligatorio',
  receives: `Indica en receives: ${CONTACT_TOPICS.join(', ')}`,
  tooMany: `Se admiten como máximo ${CONTACTS_MAX} contactos`,
  sameAs: (position: number) => `tiene el mismo email que el contacto ${position}`,
  ofClient: 'tiene el email del cliente, que ya recibe todo',
  /** Of a client's new address. */
  isContact: 'Es el email de un contacto de este cliente: quita antes el contacto',
} as const;

const CONTACT_NAME_MAX = 200;

/** Errors are answered by field, and all contacts are one field: the message says which contact is meant. */
export const atContact = (position: number, message: string) => `Contacto ${position}: ${message}`;
const said = (message: string) => ({
  error: ({ path = [] }: { path?: PropertyKey[] | undefined }) => {
    const at = path.find((step) => typeof step === 'number');
    return typeof at === 'number' ? atContact(at + 1, message) : message;
  },
});

const topic = z.enum(CONTACT_TOPICS, said(CONTACT_MESSAGES.receives));

/**
 * The contacts in a request: a save replaces all of them. Absent and null texts count as blank.
 * @param phone the rule of a client's phone
 */
export function contactsOf(phone: z.ZodType<string, string>) {
  const rules = {
    name: requiredLine(CONTACT_NAME_MAX, CONTACT_MESSAGES.nameRequired),
    email: requiredMailAddress(CONTACT_MESSAGES.emailRequired),
    phone: z.union([z.string().trim().pipe(z.literal('')), phone]),
  };
  const text = (message: string) => z.string(said(message)).nullable().optional();
  const sent = z.object(
    {
      name: text(CONTACT_MESSAGES.nameRequired),
      email: text(CONTACT_MESSAGES.emailRequired),
      phone: text('Escribe el teléfono como texto'),
      receives: z
        .array(topic, said(CONTACT_MESSAGES.receives))
        .max(20, said(CONTACT_MESSAGES.receives))
        .optional(),
    },
    said(CONTACT_MESSAGES.contact),
  );
  return z
    .array(sent, CONTACT_MESSAGES.list)
    .max(CONTACTS_MAX, { ...coded('too_long', CONTACT_MESSAGES.tooMany), abort: true })
    .transform((list, { addIssue }) => {
      const places = new Map<string, number>();
      return list.map((contact, at): Contact => {
        const refuse = (field: string, message: string, code: 'invalid' | 'required' | 'taken') =>
          addIssue({
            code: 'custom',
            ...coded(code, atContact(at + 1, message)),
            path: [at, field],
            input: list,
          });
        const read = (field: keyof typeof rules): string => {
          const typed = contact[field] ?? '';
          const result = rules[field].safeParse(typed);
          if (result.success) return result.data;
          const [issue] = result.error.issues;
          const [first] = issue?.code === 'invalid_union' ? (issue.errors.at(-1) ?? []) : [];
          const message = (first ?? issue)?.message ?? '';
          refuse(field, message, typed.trim() === '' ? 'required' : 'invalid');
          return typed;
        };
        const values = { name: read('name'), email: read('email'), phone: read('phone') };
        const key = mailKey(values.email);
        const before = places.get(key);
        if (before !== undefined && key !== '') refuse('email', CONTACT_MESSAGES.sameAs(before), 'taken');
        places.set(key, before ?? at + 1);
        const { receives = [] } = contact;
        return { ...values, receives: CONTACT_TOPICS.filter((one) => receives.includes(one)) };
      });
    })
    .meta({
      examples: [
        [
          {
            name: 'Luis Pérez',
            email: 'luis@example.com',
            phone: '+525512345678',
            receives: ['payments', 'portal'],
          },
        ],
      ],
    });
}

/** The contacts in an answer. */
export const contactsShape = z.array(
  z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    receives: z.array(z.enum(CONTACT_TOPICS)),
  }),
);

/** The contact who got a mail, or who is signed in: by name and address; null for the client itself. */
export const namedContact = z
  .object({ name: z.string(), email: z.string() })
  .meta({ id: 'NamedContact' })
  .nullable();
