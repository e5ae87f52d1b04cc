import type { Generated } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import type {
  AccountProvider,
  ChargebackAction,
  CheckoutProvider,
  PaymentLineKind,
  PaymentMethod,
  PaymentProvider,
  PaymentRequestState,
  PaymentState,
  ReviewReason,
} from '../../../contract/payments/payment-words.ts';
import type { ActorKind } from '../../../contract/system/events.ts';

/**
 * Payment requests to clients (PAY-01). The client and the licences may be deleted; the row stays and contains their
 * names.
 */
export type PaymentRequestsTable = {
  id: Generated<number>;
  /** Identifies the request at payment providers: random, and unique to this installation. */
  reference: string;
  /** The SHA-256 hash of the code in its address. */
  code_hash: string;
  state: PaymentRequestState;
  client_id: number;
  client_name: string;
  currency: Currency;
  subtotal_cents: number;
  /** In hundredths of a percent. */
  tax_rate_hundredths: number;
  tax_cents: number;
  amount_cents: number;
  /** What came in while it is open, less what went back, and what was withheld as tax: the link asks the rest (MONEY-06). */
  paid_cents: Generated<number>;
  withheld_cents: Generated<number>;
  note: string;
  review_reason: ReviewReason | null;
  expires_at: string;
  /**
   * What the client said about a transfer, until somebody answers it: when, and on which local day it was made
   * (MONEY-11). `held_until`: while it is not answered, the request stays open until then instead of `expires_at`.
   */
  notice_at: string | null;
  notice_reference: Generated<string>;
  notice_paid_on: string | null;
  held_until: string | null;
  paid_at: string | null;
  /** When its lines were applied to the licences; null before. */
  applied_at: string | null;
  /**
   * When somebody last chose a provider, when providers are asked next about the payment, and when they were last
   * asked.
   */
  pressed_at: string | null;
  poll_at: string | null;
  asked_at: string | null;
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  created_at: string;
  updated_at: string;
};

/** The lines of a request, with the terms at the time of the request. */
export type PaymentLinesTable = {
  id: Generated<number>;
  request_id: number;
  position: number;
  license_id: number | null;
  /**
   * Equal to `license_id` while the request is open, else null. It is unique, so a licence has at most one open
   * request.
   */
  open_license_id: number | null;
  license_key: string;
  kind: PaymentLineKind;
  description: string;
  /** The licence type chosen for the line; null: the licence's own. */
  license_type_id: number | null;
  days: number;
  /** How many seats a line of kind `seats` sells; null in all others. */
  quantity: Generated<number | null>;
  /** The length in months, before which `days` say nothing; null: in days (MONEY-10). */
  months: Generated<number | null>;
  price_cents: number;
  original_price_cents: number | null;
  discount_percentage: number;
  promotion_name: string;
  promotion_description: string;
  starts: string | null;
  ends: string | null;
  /** The term that the payment created. */
  term_id: number | null;
  /** The software of a licence that was deleted; null before. Only a trigger writes here (MONEY-04). */
  software_id: Generated<number | null>;
};

/**
 * Received payments (PAY-06). Amounts are in minor units of the payment's currency, which may differ from the
 * requested currency.
 */
export type PaymentsTable = {
  id: Generated<number>;
  provider: PaymentProvider;
  /**
   * Identifies the payment at the provider: the id of the payment, or of the checkout session; null for a payment
   * that was entered by hand.
   */
  source: string | null;
  provider_id: string | null;
  request_id: number;
  client_id: number;
  client_name: string;
  state: PaymentState;
  amount_cents: number;
  refunded_cents: Generated<number>;
  /** What the client withheld as tax: it settles the request, and is not cash (MONEY-06). */
  withheld_cents: Generated<number>;
  currency: string;
  method: PaymentMethod | null;
  reference: Generated<string>;
  /** The reference as a search compares it (MONEY-13). */
  search_text: Generated<string>;
  is_test: boolean;
  dispute: 'open' | 'won' | 'lost' | null;
  created_at: string;
  paid_at: string | null;
  updated_at: string;
};

/**
 * The pages of providers on which a request can be paid. `attempt` is part of the idempotency key with which such a
 * page is created once.
 */
export type PaymentCheckoutsTable = {
  id: Generated<number>;
  request_id: number;
  provider: CheckoutProvider;
  attempt: number;
  /** Null until the provider has answered. */
  session_id: string | null;
  url: string | null;
  /** The call that makes the page; until `claimed_until` no other does. */
  claimed_by: string | null;
  claimed_until: string | null;
  account: string | null;
  /** Whether the account was of test mode when the page was made; null for a page that an earlier version made. */
  is_test: boolean | null;
  expires_at: string;
  created_at: string;
  /** When no payment can come from this page any more. */
  closed_at: string | null;
};

/**
 * Notifications of providers, each stored once by `note_id`, which for an unsigned one also names its subject: the id
 * to ask the provider for.
 */
type PaymentNotificationsTable = {
  id: Generated<number>;
  provider: AccountProvider;
  note_id: string;
  subject: string;
  kind: string;
  is_signed: boolean;
  /** JSON: how a dispute ended. */
  details: Generated<string>;
  received_at: string;
  done_at: string | null;
};

/**
 * Requested refunds. `request_key` makes repeated calls one refund. A `repeated` row is no refund: its call, with
 * another key, only repeated the refund `repeats`.
 */
export type PaymentRefundsTable = {
  id: Generated<number>;
  payment_id: number;
  request_key: string | null;
  provider_key: string;
  amount_cents: number;
  /** What the provider had refunded when this was requested; it shows later whether this refund was made. */
  refunded_before: number;
  state: 'asked' | 'done' | 'refused' | 'repeated';
  repeats: number | null;
  created_at: string;
};

/** The vendor's accounts at providers; token and secret are encrypted. */
export type PaymentAccountsTable = {
  provider: AccountProvider;
  is_enabled: boolean;
  token: string | null;
  last_four: string | null;
  webhook_secret: string | null;
  account: string | null;
  currency: string | null;
  is_test: boolean;
};

/** At most one row. */
type PaymentSettingsTable = {
  id: number;
  instructions: string;
  /** JSON: the accounts to which clients transfer (MONEY-11); '' for none. */
  transfer: Generated<string>;
  on_chargeback: ChargebackAction;
  updated_at: string;
};

export type PaymentTables = {
  payment_requests: PaymentRequestsTable;
  payment_lines: PaymentLinesTable;
  payments: PaymentsTable;
  payment_checkouts: PaymentCheckoutsTable;
  payment_notifications: PaymentNotificationsTable;
  payment_refunds: PaymentRefundsTable;
  payment_accounts: PaymentAccountsTable;
  payment_settings: PaymentSettingsTable;
};
