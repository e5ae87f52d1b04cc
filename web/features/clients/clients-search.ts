import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../../../contract/clients/client-words.ts';
import {
  readDialogs,
  readId,
  readKey,
  readOrdering,
  readPaging,
  readText,
  searchReader,
} from '../../search-fields.ts';
import { CLIENT_ORDERING_LABELS } from '../../text/es.ts';

/** 'historial' and 'consultas' are shown inside the tab 'Resumen' (EVENT-08, SELL-07). */
const CLIENT_TABS = ['resumen', 'licencias', 'instalaciones', 'historial', 'consultas'] as const;
export type ClientTab = (typeof CLIENT_TABS)[number];

/** What the address of a client's page reads: its tab, its form, and the client with which it may be merged. */
export const readClientPageSearch = searchReader((raw) => ({
  editar: readId(raw.editar),
  fusionar: readId(raw.fusionar),
  tab: CLIENT_TABS.find((tab) => tab === raw.tab),
}));

export const readClientsSearch = searchReader((raw) => ({
  q: readText(raw.q),
  status: readKey(raw.status, CLIENT_STATUS_LABELS),
  type: readKey(raw.type, CLIENT_TYPE_LABELS),
  country: readText(raw.country),
  /** Tags between semicolons (DESK-03). */
  tag: readText(raw.tag),
  /** Filter by import: the records that it created or changed. */
  import: readId(raw.import),
  ordering: readOrdering(raw.ordering, CLIENT_ORDERING_LABELS),
  ...readPaging(raw),
  ...readDialogs(raw),
  ver: readId(raw.ver),
  ...readClientPageSearch(raw),
}));
export type ClientsSearch = ReturnType<typeof readClientsSearch>;
