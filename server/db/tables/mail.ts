import type { Generated } from 'kysely';
import type { EmailTransport } from '../../../contract/mail/email-transport.ts';
import type { MailKind, MailStatus, SentMailKind } from '../../../contract/mail/mails.ts';

/** Mails to deliver, written in the transaction of the change that they report (promises: Mail). */
export type OutboxTable = {
  id: Generated<number>;
  license_id: number | null;
  message_id: string;
  to_name: string;
  to_address: string;
  subject: string;
  /** Empty after the content was deleted (setting mail_retention_days); the same is true of `body_html`. */
  body_text: string;
  body_html: string;
  status: MailStatus;
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
  kind: Generated<SentMailKind>;
  /** The client or the user for whom the mail is; null where there is none. */
  client_id: Generated<number | null>;
  user_id: Generated<number | null>;
  /** The display name in From and the address in Reply-To. Empty: those of the server. */
  sender_name: Generated<string>;
  reply_to: Generated<string>;
  /** JSON: further headers by name. */
  headers: Generated<string>;
  /**
   * JSON: texts in the content, such as tokens, that answers of the API mask; `pay:` and `keys:` begin what stands for
   * a payment code and for licence keys that the content does not have.
   */
  secrets: Generated<string>;
  /** While a mail is being sent: the latest time at which that ends. Until then it cannot be cancelled. */
  sending_until: Generated<string | null>;
  /** When anything that the list shows of the mail last changed; null in mails of versions without this column. */
  changed_at: Generated<string | null>;
  /**
   * The real subject and bodies, encrypted, of a mail whose link gives access or that has licence keys. Null for other
   * mails, and after the mail was sent or given up.
   */
  sealed: Generated<string | null>;
  /** How the mail was sent; null before, and in mails of versions without this column. */
  transport: Generated<EmailTransport | null>;
  /**
   * Another mail server than the present one that sends this mail, sealed; null for others, and after the mail was sent
   * or given up (DESK-07).
   */
  via: Generated<string | null>;
  /** Whether it went to a contact of the client, and not to the client itself (DESK-04). */
  is_contact: Generated<boolean>;
};

/** The templates that the vendor has changed; for other kinds the program's own templates are used (MAIL-01). */
type MailTemplatesTable = { kind: MailKind; subject: string; body: string; updated_at: string };

/** By what the contacts of clients are found, made of the list of each client (DESK-04). */
type ContactAddressesTable = {
  client_id: number;
  /** The address in the form in which addresses are compared. */
  email_key: string;
  /** The same without its +tag. */
  mailbox: string;
  /** The last ten digits of the phone; null where it has fewer. */
  phone_end: string | null;
  /** Whether the address signs in to the portal for the client. */
  enters_portal: boolean;
  /** The token of the unsubscribe link. */
  token: string;
};

export type MailTables = {
  contact_addresses: ContactAddressesTable;
  outbox: OutboxTable;
  mail_templates: MailTemplatesTable;
};
