import { readDay, readDialogs, readId, readPaging, readText, searchReader } from '../../search-fields.ts';

/**
 * The search parameters of 'Cobros'. States and providers are values of the contract; the screens ignore unknown ones.
 */
export const readRequestsSearch = searchReader((raw) => ({
  q: readText(raw.q),
  state: readText(raw.state),
  client: readId(raw.client),
  license: readId(raw.license),
  ...readPaging(raw),
  nuevo: readDialogs(raw).nuevo,
  /** The client for whom the dialog of `?nuevo=1` opens. */
  cliente: readId(raw.cliente),
  /** The request for which 'Registrar pago' is open. */
  registrar: readId(raw.registrar),
}));
export type RequestsSearch = ReturnType<typeof readRequestsSearch>;

/** Which receipt of a request: the n-th, the last one without it (MONEY-12). */
export const readReceiptSearch = searchReader((raw) => ({ payment: readId(raw.payment) }));

/** The search parameters of received payments. */
export const readReceivedSearch = searchReader((raw) => ({
  provider: readText(raw.provider),
  state: readText(raw.state),
  client: readId(raw.client),
  from: readDay(raw.from),
  to: readDay(raw.to),
  ...readPaging(raw),
}));
export type ReceivedSearch = ReturnType<typeof readReceivedSearch>;
