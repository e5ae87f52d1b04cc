import { PATHS } from './paths.ts';

/**
 * The kinds of records that have a list, each defined once. The key is the kind's API name, which is also the first
 * part of its permissions, of its entries in `OFFERS` (`clients.create`) and of its query keys, and the name of its
 * group in the search (docs/decisions/074-one-registry-of-kinds.md). start.ts imports this file, so it contains
 * neither icons nor code.
 *
 * - `subject`: the kind's name in events
 * - `list`, `one`: the paths of the list and of one record; null: the list's address with `?ver=7`
 * - `isPage`: the record's path is a page (DESK-05). Otherwise it is the list with the record's dialog (D024).
 * - `api`: the API path of the list
 * - `shownBy`: what else shows data of a changed record, by the first parts of query keys (D052). A client and a
 *   software count their licences. A licence shows the names of its client, its software and its type. Most changes of
 *   a licence send a mail, some cancel a payment request, and a payment renews a licence. The first steps say whether
 *   there is a second user (DESK-06).
 */
export const RECORD_KINDS = {
  clients: {
    subject: 'client',
    list: PATHS.clients,
    one: PATHS.client,
    isPage: true,
    api: '/licenses/api/clients/',
    shownBy: ['licenses', 'statistics', 'search'],
  },
  licenses: {
    subject: 'license',
    list: PATHS.licenses,
    one: PATHS.license,
    isPage: true,
    api: '/licenses/api/licenses/',
    shownBy: ['clients', 'software', 'statistics', 'search', 'mails', 'payment_requests'],
  },
  software: {
    subject: 'software',
    list: PATHS.software,
    one: PATHS.softwareItem,
    api: '/licenses/api/software/',
    shownBy: ['licenses', 'clients', 'statistics', 'search'],
  },
  license_types: {
    subject: 'license_type',
    list: PATHS.licenseTypes,
    one: null,
    api: '/licenses/api/license-types/',
    shownBy: ['licenses', 'clients', 'statistics', 'search'],
  },
  payment_requests: {
    subject: 'payment_request',
    list: PATHS.payments,
    one: PATHS.paymentRequest,
    api: '/licenses/api/payment-requests/',
    shownBy: ['payments', 'licenses', 'clients', 'statistics', 'mails'],
  },
  payments: {
    subject: 'payment',
    list: PATHS.paymentsReceived,
    one: null,
    api: '/licenses/api/payments/',
    shownBy: ['payment_requests', 'licenses', 'clients', 'statistics', 'mails'],
  },
  mails: { subject: 'mail', list: PATHS.mails, one: null, api: '/licenses/api/mails/', shownBy: [] },
  users: {
    subject: 'user',
    list: PATHS.users,
    one: null,
    api: '/licenses/api/users/',
    shownBy: ['statistics'],
  },
  api_keys: {
    subject: 'api_key',
    list: PATHS.apiKeys,
    one: null,
    api: '/licenses/api/api-keys/',
    shownBy: [],
  },
  webhooks: {
    subject: 'webhook',
    list: PATHS.webhooks,
    one: null,
    api: '/licenses/api/webhooks/',
    shownBy: [],
  },
} as const;

export type RecordKind = keyof typeof RECORD_KINDS;

/** Records that only one list shows and no other screen links to. That list defines its path and API path itself. */
interface OwnKind {
  list: string;
  one: null;
  api: string;
}

export type ListKind = RecordKind | OwnKind;

/** True if a record has a page. Then its dialog, over the list, has the list's address with `?ver=7`. */
export const hasPage = (kind: ListKind): boolean => 'isPage' in addressesOf(kind);

/** The paths and API path of a list's records. */
export const addressesOf = (kind: ListKind) => (typeof kind === 'string' ? RECORD_KINDS[kind] : kind);

/** The kinds that the search covers and that other records link to. */
export type MainKind = 'clients' | 'licenses' | 'software' | 'license_types';

type Subject = (typeof RECORD_KINDS)[RecordKind]['subject'];
type KindOf<One extends Subject> = {
  [Kind in RecordKind]: (typeof RECORD_KINDS)[Kind]['subject'] extends One ? Kind : never;
}[RecordKind];

/** The kind with this `subject`. */
export const kindOf = <One extends Subject>(subject: One) =>
  // The `!` is safe: every subject has a kind.
  Object.entries(RECORD_KINDS).find(([, kind]) => kind.subject === subject)![0] as KindOf<One>;

/** The API path of a kind's list, or of one of its records. */
export function apiOf(kind: ListKind, id?: number): string {
  const { api } = addressesOf(kind);
  return id === undefined ? api : `${api}${id}/`;
}
