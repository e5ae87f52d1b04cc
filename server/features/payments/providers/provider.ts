import type { Currency } from '../../../../contract/base/money.ts';
import type { PaymentMethod, PaymentState } from '../../../../contract/payments/payment-words.ts';

/**
 * The common interface of payment providers (PAY-03). Code outside this folder does not depend on what a provider
 * calls its pages: preferences, sessions or orders.
 */

/** The access to a provider: the vendor's token, the API's address, the account, and whether it is of test mode. */
export type Account = { token: string; url: string; account: string | null; isTest: boolean };

/** Replaces a provider's address if this server must not call others (OUTBOUND=0). */
export const NOWHERE = 'outbound-off:';

/** An order: the payment that a client makes on a provider's page. */
export type Order = {
  /** Returned by the provider with each payment: random, and unique to this installation. */
  reference: string;
  title: string;
  /** In minor units. */
  amount: number;
  currency: Currency;
  /** The end of the page, and the end of the payment request, which also limits vouchers. */
  pageEnds: Date;
  ends: Date;
  now: Date;
  /** The address to which the client returns; `failedUrl` after a failed payment. */
  returnUrl: string;
  failedUrl: string;
  notifyUrl: string;
  /** An idempotency key: the same key creates only one page, even if it is sent several times. */
  key: string;
};

export type Page = { session: string; url: string };

/** A payment as reported by a provider. */
export type ProviderPayment = {
  /** The id with which the provider finds the payment; it never changes. */
  source: string;
  providerId: string;
  reference: string | null;
  /** Null if a token always belongs to one account. */
  account: string | null;
  state: PaymentState;
  /** In minor units of the currency; a currency that the program does not support counts as having two decimals. */
  amount: number;
  refunded: number;
  currency: string;
  method: PaymentMethod | null;
  /** Whether the provider says of this payment that it is a test; a test account's payments need not say so. */
  isTest: boolean;
  createdAt: string | null;
  paidAt: string | null;
  dispute: 'open' | 'won' | 'lost' | null;
};

/** The subject of a notification: a payment, or the payment intent of a payment. */
export type NotificationSubject = {
  id: string;
  subject: string;
  kind: string;
  isSigned: boolean;
  /** `intent`: the subject is the provider's id of a payment that is already known here. */
  of: 'source' | 'intent';
  dispute: 'won' | 'lost' | null;
};

export type ProviderNotification = {
  /** The body exactly as received. */
  text: string;
  headers: Record<string, string | string[] | undefined>;
  query: Record<string, unknown>;
};

export type Identity = { account: string; currency: string; isTest: boolean };

export type Provider = {
  create: (account: Account, order: Order) => Promise<Page>;
  /** Fetches one payment; null if there is none yet. `over`: no payment can come from this page any more. */
  fetch: (account: Account, source: string) => Promise<{ reported: ProviderPayment | null; over: boolean }>;
  /**
   * Fetches all payments of a request.
   * @param sessions its pages that have not ended
   */
  search: (
    account: Account,
    asked: { reference: string; sessions: string[] },
  ) => Promise<{ reported: ProviderPayment[]; over: string[] }>;
  /**
   * Refunds an amount of a payment.
   * @param amount in minor units
   */
  refund: (
    account: Account,
    payment: { source: string; providerId: string; currency: string },
    amount: number,
    key: string,
  ) => Promise<void>;
  /**
   * Reads a notification.
   * @returns null for a notification that can be ignored, 'refused' for a wrong signature where one is required
   */
  readNotification: (
    notification: ProviderNotification,
    secret: string | null,
    now: Date,
  ) => NotificationSubject | 'refused' | null;
  /** The account to which a token belongs. */
  identify: (account: Pick<Account, 'token' | 'url'>) => Promise<Identity>;
  /** Ends a page; absent if the provider does not support it. */
  close?: (account: Account, session: string) => Promise<void>;
};

/** The provider does not answer, is overloaded, or fails: the same call may succeed later. */
export class ProviderAway extends Error {
  override name = 'ProviderAway';
}

/** The provider refuses the call, and would refuse it again. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
