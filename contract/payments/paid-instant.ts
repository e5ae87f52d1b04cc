import { instantForm } from '../base/text.ts';
import { PAYMENT_MESSAGES } from './payment-words.ts';

/** When a payment was made, from 1900 on: PostgreSQL has no year 0, and a year that was mistyped is no day of a payment. */
export const paidInstant = instantForm.refine((text) => text >= '1900-01-02', PAYMENT_MESSAGES.paidAt);
