import {
  PAYMENT_PROVIDER_LABELS,
  PAYMENT_REQUEST_STATE_LABELS,
  PAYMENT_STATE_LABELS,
} from '../../../contract/payments/payment-words.ts';
import { readDay, readId, readKey, readPaging, searchReader } from '../../search-fields.ts';

/** The search parameters of 'Cobros': what clients were asked to pay. */
export const readRequestsSearch = searchReader((raw) => ({
  state: readKey(raw.state, PAYMENT_REQUEST_STATE_LABELS),
  client: readId(raw.client),
  license: readId(raw.license),
  ...readPaging(raw),
}));
export type RequestsSearch = ReturnType<typeof readRequestsSearch>;

/** The search parameters of what came in. */
export const readReceivedSearch = searchReader((raw) => ({
  provider: readKey(raw.provider, PAYMENT_PROVIDER_LABELS),
  state: readKey(raw.state, PAYMENT_STATE_LABELS),
  client: readId(raw.client),
  from: readDay(raw.from),
  to: readDay(raw.to),
  ...readPaging(raw),
}));
export type ReceivedSearch = ReturnType<typeof readReceivedSearch>;
