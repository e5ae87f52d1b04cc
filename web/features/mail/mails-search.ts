import { readId, readPaging, readText, searchReader } from '../../search-fields.ts';

/** The search parameters of 'Correos'. Status and kind are values of the contract; the screen ignores unknown ones. */
export const readMailsSearch = searchReader((raw) => ({
  /** The beginning of an email address. */
  q: readText(raw.q),
  status: readText(raw.status),
  kind: readText(raw.kind),
  license: readId(raw.license),
  client: readId(raw.client),
  ...readPaging(raw),
  ver: readId(raw.ver),
  /** `?servidor=1` opens the form of the mail server. */
  servidor: String(raw.servidor) === '1' ? ('1' as const) : undefined,
}));
export type MailsSearch = ReturnType<typeof readMailsSearch>;
