import type { Generated } from 'kysely';
import type { EmailTransport } from '../../../contract/mail/email-transport.ts';
import type { MailKind, MailStatus, SentMailKind } from '../../../contract/mail/mails.ts';

/** Mail to deliver, written in the transaction of the change that it reports (promises: Mail). */
export type OutboxTable = {
  id: Generated<number>;
  license_id: number | null;
  message_id: string;
  to_name: string;
  to_address: string;
  subject: string;
  /** Empty once the content was deleted (the setting mail_retention_days), as is `body_html`. */
  body_text: string;
  body_html: string;
  status: MailStatus;
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
  kind: Generated<SentMailKind>;
  /** The client or user that it is for, as far as it is one. */
  client_id: Generated<number | null>;
  user_id: Generated<number | null>;
  /** The name in From and the address in Reply-To; empty: those of the server. */
  sender_name: Generated<string>;
  reply_to: Generated<string>;
  /** JSON: further headers by name. */
  headers: Generated<string>;
  /** JSON: texts that answers of the API mask in the content, such as tokens. */
  secrets: Generated<string>;
  /** While it is on its way: until when at the latest. It cannot be cancelled meanwhile. */
  sending_until: Generated<string | null>;
  /** When what the list shows of it last changed; null in mail of the versions without it. */
  changed_at: Generated<string | null>;
  /**
   * What leaves instead of subject and bodies, where its link lets somebody in: encrypted until it was sent, or never
   * will be, and null then.
   */
  sealed: Generated<string | null>;
  /** How it left; null before that, and in mail of the versions without it. */
  transport: Generated<EmailTransport | null>;
};

/** The templates that the vendor changed; the others are the program's own (MAIL-01). */
export type MailTemplatesTable = { kind: MailKind; subject: string; body: string; updated_at: string };

export type MailTables = {
  outbox: OutboxTable;
  mail_templates: MailTemplatesTable;
};
