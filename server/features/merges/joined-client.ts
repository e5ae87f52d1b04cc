import { CLIENT_DEFAULTS, TAGS_MAX } from '../../../contract/base/limits.ts';
import {
  CLIENT_FIELDS,
  CLIENT_STATUSES,
  type ClientField,
  type ClientStatus,
  isUnspecified,
} from '../../../contract/clients/clients.fields.ts';
import { CONTACTS_MAX, type Contact } from '../../../contract/clients/contact-words.ts';
import type { LeftOver } from '../../../contract/clients/merge.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { eachTagOnce } from '../../../contract/reading/tags.ts';
import { readContacts } from '../../db/contacts.ts';
import { readTags } from '../../db/features.ts';
import type { ClientRow } from '../../db/tables.ts';
import type { StoredValues } from '../clients/clients.queries.ts';

/** Which of two clients' values the one has that stays (MERGE-01). */

/** The fields whose value is not simply kept or taken. */
const JOINED = ['contacts', 'tags', 'reminders', 'status'] as const satisfies ClientField[];

/** From the mildest to the strictest. */
const STRICTER: readonly ClientStatus[] = ['active', 'pending', 'inactive', 'suspended'];
const strictest = (...statuses: ClientStatus[]): ClientStatus =>
  CLIENT_STATUSES.find(
    (status) => STRICTER.indexOf(status) === Math.max(...statuses.map((one) => STRICTER.indexOf(one))),
  )!;

const isBlank = (field: ClientField, value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && isUnspecified(value.trim())) ||
  (field === 'postal_code' && value === CLIENT_DEFAULTS.postal_code);

type Joined = {
  /** The columns that change. */
  changes: Partial<StoredValues>;
  /** The fields that the client takes from the other one. */
  taken: ClientField[];
  /** The contacts that the client gets from the other one. */
  contacts: Contact[];
  left: LeftOver;
};

/**
 * The client that results: its own fields stay, blank ones are taken from the other client, tags and contacts are added
 * up to their limits, and of `reminders` and `status` the stricter one holds. A contact whose address the client or one
 * of its contacts has is not added: each address keeps what it gets, also where it unsubscribed.
 */
export function joinedClient(into: ClientRow, from: ClientRow): Joined {
  const fields = (Object.keys(CLIENT_FIELDS) as ClientField[]).filter(
    (field) => !(JOINED as readonly string[]).includes(field),
  );
  const taken = fields.filter((field) => isBlank(field, into[field]) && !isBlank(field, from[field]));
  const changes: Partial<StoredValues> = Object.fromEntries(taken.map((field) => [field, from[field]]));

  const reminders = into.reminders && from.reminders;
  if (reminders !== into.reminders) {
    changes.reminders = reminders;
    taken.push('reminders');
  }
  const status = strictest(into.status, from.status);
  if (status !== into.status) {
    changes.status = status;
    taken.push('status');
  }

  const own = readContacts(into.contacts);
  const known = new Set([into.email_key, ...own.map(({ email }) => mailKey(email))]);
  const others = readContacts(from.contacts).filter(({ email }) => !known.has(mailKey(email)));
  const contacts = others.slice(0, CONTACTS_MAX - own.length);
  if (contacts.length > 0) changes.contacts = [...own, ...contacts];

  const ownTags = readTags(into.tags);
  const tags = eachTagOnce([...ownTags, ...readTags(from.tags)]);
  const kept = tags.slice(0, Math.max(TAGS_MAX, ownTags.length));
  if (kept.length > ownTags.length) changes.tags = JSON.stringify(kept);

  return {
    changes,
    taken,
    contacts,
    left: { tags: tags.length - kept.length, contacts: others.length - contacts.length },
  };
}
