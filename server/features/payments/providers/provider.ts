import type { Currency } from '../../../../contract/base/money.ts';
import type { PaymentMethod, PaymentState } from '../../../../contract/payments/payment-words.ts';

/**
 * What the program knows of a provider: five functions, and the questions of Configuración (PAY-03). Whether a provider
 * calls its pages preferences, sessions or orders, nothing above this folder knows.
 */

/** How a provider is reached: the vendor's token, and where. */
export type Account = { token: string; url: string; account: string | null };

/** In place of the address of a provider where nothing leaves this server (OUTBOUND=0). */
export const NOWHERE = 'outbound-off:';

/** What a client pays on a page of the provider. */
export type Order = {
  /** What comes back with each payment: unguessable, and of this installation alone. */
  reference: string;
  title: string;
  /** In minor units. */
  amount: number;
  currency: Currency;
  /** When the page ends, and when what is to be paid ends: vouchers too. */
  pageEnds: Date;
  ends: Date;
  now: Date;
  /** Where the client comes back to; `failedUrl` after a payment that was not made. */
  returnUrl: string;
  failedUrl: string;
  notifyUrl: string;
  /** The same key makes one page, however often it is sent. */
  key: string;
};

export type Page = { session: string; url: string };

/** A payment as the provider describes it. */
export type Seen = {
  /** By what it is found there, always the same. */
  source: string;
  providerId: string;
  reference: string | null;
  /** Null where the provider has one account for a token. */
  account: string | null;
  state: PaymentState;
  /** In minor units of the currency, two decimals for one that the program does not know. */
  amount: number;
  refunded: number;
  currency: string;
  method: PaymentMethod | null;
  isTest: boolean;
  createdAt: string | null;
  paidAt: string | null;
  dispute: 'open' | 'won' | 'lost' | null;
};

/** What may be asked about a note: a payment there, or what a payment is paid by. */
export type NoteSubject = {
  id: string;
  subject: string;
  kind: string;
  isSigned: boolean;
  /** `intent`: the subject is the provider's id of a payment that is known already. */
  of: 'source' | 'intent';
  dispute: 'won' | 'lost' | null;
};

export type Note = {
  /** The body exactly as it came. */
  text: string;
  headers: Record<string, string | string[] | undefined>;
  query: Record<string, unknown>;
};

export type Identity = { account: string; currency: string; isTest: boolean };

export type Provider = {
  create: (account: Account, order: Order) => Promise<Page>;
  /** One payment; null where there is none yet. `over`: nothing can come of the page any more. */
  fetch: (account: Account, source: string) => Promise<{ seen: Seen | null; over: boolean }>;
  /** All payments of a request. @param sessions its pages that are not over */
  search: (
    account: Account,
    asked: { reference: string; sessions: string[] },
  ) => Promise<{ seen: Seen[]; over: string[] }>;
  /** @param amount in minor units */
  refund: (
    account: Account,
    payment: { source: string; providerId: string; currency: string },
    amount: number,
    key: string,
  ) => Promise<void>;
  /**
   * Reads a notification.
   * @returns null for one that means nothing here, 'refused' for one whose signature is wrong where it must be right
   */
  readNote: (note: Note, secret: string | null, now: Date) => NoteSubject | 'refused' | null;
  /** Whose token it is. */
  identify: (account: Pick<Account, 'token' | 'url'>) => Promise<Identity>;
  /** Ends a page, where the provider can. */
  close?: (account: Account, session: string) => Promise<void>;
};

/** The provider does not answer, has too much to do, or is broken: the same may work later. */
export class ProviderAway extends Error {
  override name = 'ProviderAway';
}

/** The provider answers no, and would again. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
