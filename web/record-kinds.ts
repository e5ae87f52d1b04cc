import { PATHS } from './paths.ts';

/**
 * The kinds of records that have a list, each named once: by its name on the wire, which is also the first part of its
 * permissions and offers (`clients.create`), of its query keys, and the name of its group in the search
 * (docs/decisions/074-one-registry-of-kinds.md). start.ts brings this file with it, so it holds neither icons nor code.
 *
 * - `subject`: how events name one of them
 * - `list`, `one`: the addresses of the list and of one record; null: `?ver=7` of the list
 * - `api`: the path of the list on the server
 * - `shownBy`: what else shows data of a changed record, by the first parts of its query keys (D052): a client and a
 *   software count their licences, a licence shows the names of its client, its software and its type, most changes of a
 *   licence send a mail, some cancel what its client was asked to pay, and a payment renews
 */
export const RECORD_KINDS = {
  clients: {
    subject: 'client',
    list: PATHS.clients,
    one: PATHS.client,
    api: '/licenses/api/clients/',
    shownBy: ['licenses', 'statistics', 'search'],
  },
  licenses: {
    subject: 'license',
    list: PATHS.licenses,
    one: PATHS.license,
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
  users: { subject: 'user', list: PATHS.users, one: null, api: '/licenses/api/users/', shownBy: [] },
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

/** Records that one list alone shows and nothing links to; the list names its address and its call itself. */
export interface OwnKind {
  list: string;
  one: null;
  api: string;
}

export type ListKind = RecordKind | OwnKind;

/** The addresses and the call of a list's records. */
export const addressesOf = (kind: ListKind) => (typeof kind === 'string' ? RECORD_KINDS[kind] : kind);

/** The kinds that the search finds, and that other records link to. */
export type MainKind = 'clients' | 'licenses' | 'software' | 'license_types';

type Subject = (typeof RECORD_KINDS)[RecordKind]['subject'];
type KindOf<One extends Subject> = {
  [Kind in RecordKind]: (typeof RECORD_KINDS)[Kind]['subject'] extends One ? Kind : never;
}[RecordKind];

/** The kind of what events call `subject`. */
export const kindOf = <One extends Subject>(subject: One) =>
  // Each subject has a kind.
  Object.entries(RECORD_KINDS).find(([, kind]) => kind.subject === subject)![0] as KindOf<One>;

/** The path on the server of a kind's list, or of one of its records. */
export function apiOf(kind: ListKind, id?: number): string {
  const { api } = addressesOf(kind);
  return id === undefined ? api : `${api}${id}/`;
}
