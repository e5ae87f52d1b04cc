import { z } from 'zod';
import { suggestionsOf, warningsOf } from '../base/advice.ts';
import { answerShapeOf, createShapeOf, schemasOf, updateOf } from '../base/fields.ts';
import { EXTERNAL_ID_MAX } from '../base/limits.ts';
import { writtenId } from '../base/numbers.ts';
import { bulkUpdateOf, exportForm, exportIds, listQuery, pageOf, updatedSince } from '../base/page.ts';
import { line } from '../base/text.ts';
import { bulkActionOf } from '../licenses/bulk.ts';
import { license } from '../licenses/licenses.ts';
import { installation } from '../programs/installations.ts';
import { tagAction, tagFilter } from '../tags/tags.ts';
import { CLIENT_ANSWERED, CLIENT_FIELDS, CLIENT_STATUSES, CLIENT_TYPES } from './clients.fields.ts';
import { CONTACT_ADVICE } from './contact-words.ts';
import { duplicates } from './duplicates.ts';

export const CLIENT_RESULTS = { deleted: 'Cliente eliminado exitosamente' } as const;

const schemas = schemasOf(CLIENT_FIELDS);

export const clientCreate = z.object(createShapeOf(CLIENT_FIELDS)).meta({
  examples: [{ name: 'Ana López', email: 'ana.lopez@example.com', phone: '+525512345678' }],
});
export type ClientInput = z.input<typeof clientCreate>;
/** The values that are stored: trimmed, with defaults filled in. */
export type ClientValues = z.output<typeof clientCreate>;

export const clientUpdate = updateOf(CLIENT_FIELDS);

/** The fields of a bulk change. */
export const clientBulkUpdate = bulkUpdateOf({
  status: schemas.status,
  client_type: schemas.client_type,
  country: schemas.country,
  state: schemas.state,
  city: schemas.city,
});

/** The bulk actions on clients, each with its fields. */
export const clientActions = {
  delete: {},
  set_status: { status: schemas.status },
  /** Removes all machines of the client's licences. */
  release_seats: {},
  add_tag: tagAction,
  remove_tag: tagAction,
};
export const clientBulkAction = bulkActionOf(clientActions);

/** The filters shared by the list and the export (D053). */
const clientFilters = z.object({
  status: z.enum(CLIENT_STATUSES).optional(),
  type: z.enum(CLIENT_TYPES).optional(),
  client_type: z.enum(CLIENT_TYPES).optional(),
  country: line(100).optional(),
  state: line(100).optional(),
  city: line(100).optional(),
  company: line(200).optional(),
  email: line(254).optional(),
  external_id: line(EXTERNAL_ID_MAX).optional(),
  updated_since: updatedSince.optional(),
  /** Records that have this tag; with several, all of them (DESK-03). */
  tag: tagFilter,
  /** Records that an import created or changed. */
  import: writtenId.optional(),
});
export const clientListQuery = z.object({ ...listQuery.shape, ...clientFilters.shape });
export const clientExportQuery = z.object({
  ...clientListQuery.shape,
  ids: exportIds.optional(),
  ...exportForm,
});

export const CLIENT_ORDERINGS = [
  'created_at',
  'name',
  'company',
  'client_type',
  'status',
  'license_count',
] as const;

const clientShape = answerShapeOf({ ...CLIENT_ANSWERED, ...CLIENT_FIELDS });

const client = z.object(clientShape).meta({ id: 'Client' });
export type Client = z.infer<typeof client>;

/**
 * A client with its newest licences and installations, at most {@link EMBEDDED_ROWS} of each; its counts are of all
 * (D114). The installations stand flat, and again in their licences.
 */
export const clientDetails = z
  .object({
    ...clientShape,
    /** When a mail server refused a reminder to this address for good; null if none did. */
    email_bounced_at: z.string().nullable(),
    /** The contacts whose addresses did so (DESK-04). */
    contacts_bounced: z.array(z.object({ email: z.string(), bounced_at: z.string() })),
    /** The client's last sign-in to the portal; null if there was none (PORTAL-08). */
    portal_last_sign_in: z.string().nullable(),
    licenses: z.array(license),
    installations: z.array(installation),
  })
  .meta({ id: 'ClientDetails' });
export type ClientDetails = z.infer<typeof clientDetails>;

/** The fields about which an answer to a save may warn, and those for which it may name what was meant. */
const SUGGESTED = ['phone', 'phone_secondary', 'email', ...CONTACT_ADVICE] as const;
const WARNED = ['tax_id', ...SUGGESTED] as const;

/** The answer to a save: the client's fields, and what is to be said of them (MONEY-02, INPUT-02, INPUT-14). */
export const savedClient = clientDetails
  .extend({
    warnings: warningsOf(WARNED),
    suggestions: suggestionsOf(SUGGESTED),
    /** Of a new client, for whoever may read clients: those that it may be (INPUT-19). */
    duplicates: duplicates.optional(),
  })
  .meta({ id: 'SavedClient' });
export type SavedClient = z.infer<typeof savedClient>;

export const clientPage = pageOf(client).meta({ id: 'ClientPage' });
