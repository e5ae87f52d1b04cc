import type { MailSecurity } from '../contract/mail/mail-settings.ts';
import type { Config } from './config.ts';
import type { AppContext } from './context.ts';
import { perDatabase } from './db/per-database.ts';
import type { Db, MailSettingsRow } from './db/tables.ts';
import type { SecretBox } from './lib/secret-box.ts';
import { type Mailer, type MailServer, mailerOf } from './mailer.ts';

/** The mail server of Configuración › Correos (DESK-07), read from the database for each message. */

export const MAIL_PASSWORD_PURPOSE = 'mail-server:password';

/** The stored row; undefined before the first change. */
export const readMailServer = (db: Db): Promise<MailSettingsRow | undefined> =>
  db.selectFrom('mail_settings').selectAll().executeTakeFirst();

/** A stored server as the mailer uses it, with its password. */
export const openServer = (secrets: SecretBox, row: MailSettingsRow): MailServer => ({
  host: row.host,
  port: row.port,
  security: row.security as MailSecurity,
  username: row.username,
  password: passwordOf(secrets, row.password),
  from: row.sender,
});

/** @returns null for a password that was sealed with another SECRET_KEY */
function passwordOf(secrets: SecretBox, sealed: string | null): string | null {
  if (sealed === null) return '';
  try {
    return secrets.open(sealed, MAIL_PASSWORD_PURPOSE);
  } catch {
    return null;
  }
}

/**
 * The sender that was read last. A Message-ID has the sender's domain, and issuing a licence must not ask the database
 * for it each time. The sender of a mail itself is read when it leaves.
 */
const last = perDatabase(() => ({ sender: '' }));

/** The sender of mails, as last read. */
export const knownSender = (db: Db, { mailFrom }: Pick<Config, 'mailFrom'>): string =>
  last(db).sender || mailFrom;

type Needed = Pick<AppContext, 'db' | 'secrets' | 'lookUp'> & {
  config: Pick<Config, 'smtpUrl' | 'dataDir' | 'outbound' | 'mailFrom' | 'demo' | 'mailAllowPrivate'>;
};

/** The mailer of a process with a database. */
export function openMailer({ config, db, secrets, lookUp }: Needed): Mailer {
  return mailerOf({
    ...config,
    stored: async () => {
      const row = await readMailServer(db);
      const isThere = row !== undefined && row.host !== '';
      last(db).sender = isThere ? row.sender : '';
      return isThere ? { version: row.updated_at, server: openServer(secrets, row) } : null;
    },
    reach: { lookUp, demo: config.demo, mailAllowPrivate: config.mailAllowPrivate },
  });
}
