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

/** What clients are asked to pay (PAY-01). Clients and licences may go; the row stays, with their names. */
export type PaymentRequestsTable = {
  id: Generated<number>;
  /** What providers call it: unguessable, and of this installation alone. */
  reference: string;
  /** The SHA-256 of the code in its address. */
  code_hash: string;
  state: PaymentRequestState;
  client_id: number;
  client_name: string;
  currency: Currency;
  subtotal_cents: number;
  /** Hundredths of a percent. */
  tax_rate_hundredths: number;
  tax_cents: number;
  amount_cents: number;
  note: string;
  review_reason: ReviewReason | null;
  expires_at: string;
  paid_at: string | null;
  /** When its lines were done; null while they are not. */
  applied_at: string | null;
  /** The latest press of a provider, when providers are asked next, and when they last were. */
  pressed_at: string | null;
  poll_at: string | null;
  asked_at: string | null;
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  created_at: string;
  updated_at: string;
};

/** The lines of a request, with the terms that they were made with. */
export type PaymentLinesTable = {
  id: Generated<number>;
  request_id: number;
  position: number;
  license_id: number | null;
  /** The same while the request is open, unique: a licence has one open request. */
  open_license_id: number | null;
  license_key: string;
  kind: PaymentLineKind;
  description: string;
  /** The catalogue type that was named; null for the licence's own. */
  license_type_id: number | null;
  days: number;
  price_cents: number;
  original_price_cents: number | null;
  discount_percentage: number;
  promotion_name: string;
  promotion_description: string;
  starts: string | null;
  ends: string | null;
  /** What it became. */
  term_id: number | null;
};

/** What came (PAY-06). Amounts are minor units of the payment's currency, which may be another than was asked for. */
export type PaymentsTable = {
  id: Generated<number>;
  provider: PaymentProvider;
  /** What it is found by there: the id of the payment, or of the session of a checkout; null for one noted by hand. */
  source: string | null;
  provider_id: string | null;
  request_id: number;
  client_id: number;
  client_name: string;
  state: PaymentState;
  amount_cents: number;
  refunded_cents: Generated<number>;
  currency: string;
  method: PaymentMethod | null;
  reference: Generated<string>;
  is_test: boolean;
  dispute: 'open' | 'won' | 'lost' | null;
  created_at: string;
  paid_at: string | null;
  updated_at: string;
};

/** The pages of providers on which a request can be paid; `attempt` makes the key under which one is made once. */
export type PaymentCheckoutsTable = {
  id: Generated<number>;
  request_id: number;
  provider: CheckoutProvider;
  attempt: number;
  /** Null until the provider has answered; until `claimed_until` one process asks. */
  session_id: string | null;
  url: string | null;
  claimed_until: string | null;
  account: string | null;
  expires_at: string;
  created_at: string;
  /** When nothing can come of it any more. */
  closed_at: string | null;
};

/** What providers sent, once each; `subject` is what to ask for. */
export type PaymentNotesTable = {
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

/** Refunds that were asked for: the key makes a repeated call one refund. */
export type PaymentRefundsTable = {
  id: Generated<number>;
  payment_id: number;
  request_key: string | null;
  provider_key: string;
  amount_cents: number;
  state: 'asked' | 'done' | 'refused';
  created_at: string;
};

/** The vendor's accounts; token and secret are encrypted. */
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
export type PaymentSettingsTable = {
  id: number;
  instructions: string;
  on_chargeback: ChargebackAction;
  updated_at: string;
};

export type PaymentTables = {
  payment_requests: PaymentRequestsTable;
  payment_lines: PaymentLinesTable;
  payments: PaymentsTable;
  payment_checkouts: PaymentCheckoutsTable;
  payment_notes: PaymentNotesTable;
  payment_refunds: PaymentRefundsTable;
  payment_accounts: PaymentAccountsTable;
  payment_settings: PaymentSettingsTable;
};
