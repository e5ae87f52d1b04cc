import { readDialogs, readId, readPaging, readText, searchReader } from '../../search-fields.ts';

/** The open webhook, and page and state filter of its messages. */
export const readWebhooksSearch = searchReader((raw) => ({
  ver: readId(raw.ver),
  status: readText(raw.status),
  ...readPaging(raw),
  ...readDialogs(raw),
}));
export type WebhooksSearch = ReturnType<typeof readWebhooksSearch>;
