import type { MailKind, SentMailKind } from '../../../contract/mail/mails.ts';
import { SETTINGS_DEFAULTS, type SettingsValues } from '../../../contract/settings/settings.ts';
import { lockRows } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { withoutFreeText } from '../../rules/verified-clients.ts';
import type { TemplateTexts } from './default-templates.ts';
import { clientVariables, type MailedLicense } from './license-variables.ts';

/** The version of a template that was never changed. */
export const UNCHANGED = '1970-01-01T00:00:00.000Z';

/** A stored row with empty texts: the vendor returned to the program's own texts, and the version continues. */
const OWN_TEXTS: TemplateTexts = { subject: '', body: '' };

const style = prepared((db, { kind, one }: { kind: SentMailKind; one: number }) =>
  db
    .selectFrom(db.selectNoFrom((eb) => eb.val(one).as('id')).as('one'))
    .leftJoin('settings', (join) => join.onTrue())
    .leftJoin('vendor_logo', (join) => join.onTrue())
    .leftJoin('mail_templates', (join) => join.on('mail_templates.kind', '=', kind as MailKind))
    .select(['settings.changed', 'vendor_logo.updated_at as logo_at'])
    .select(['mail_templates.subject', 'mail_templates.body']),
);

export type MailStyle = {
  settings: SettingsValues;
  /** When the vendor's logo was stored; null without one. */
  logoAt: string | null;
  /** The vendor's template of the kind; null if the program's own is used. */
  template: TemplateTexts | null;
};

/**
 * Reads everything that a mail of a kind needs in one query, because issuing a licence runs it each time. Kinds
 * without templates have none stored.
 */
export async function readMailStyle(db: Db, kind: SentMailKind): Promise<MailStyle> {
  const [row] = await style(db, { kind, one: 1 });
  const { changed, logo_at, subject, body } = row!;
  return {
    settings: { ...SETTINGS_DEFAULTS, ...(changed === null ? {} : JSON.parse(changed)) },
    logoAt: logo_at,
    template: subject && body ? { subject, body } : null,
  };
}

export type StoredTemplate = TemplateTexts & { kind: MailKind; updated_at: string };

/** The templates that the vendor has ever changed, by kind; empty texts mean that the program's own are used. */
export async function storedTemplates(db: Db): Promise<Map<MailKind, StoredTemplate>> {
  const rows = await db
    .selectFrom('mail_templates')
    .select(['kind', 'subject', 'body', 'updated_at'])
    .execute();
  return new Map(rows.map((row) => [row.kind, row]));
}

/** Reads a template and locks it until the transaction ends. */
export async function lockTemplate(tx: Db, kind: MailKind): Promise<StoredTemplate> {
  await tx
    .insertInto('mail_templates')
    .values({ kind, ...OWN_TEXTS, updated_at: UNCHANGED })
    .onConflict((conflict) => conflict.column('kind').doNothing())
    .execute();
  return lockRows(
    tx,
    tx
      .selectFrom('mail_templates')
      .select(['kind', 'subject', 'body', 'updated_at'])
      .where('kind', '=', kind),
  ).executeTakeFirstOrThrow();
}

/**
 * Stores a locked template; null returns to the program's own texts.
 * @param version its new `updated_at`
 */
export async function writeTemplate(
  tx: Db,
  kind: MailKind,
  texts: TemplateTexts | null,
  version: string,
): Promise<void> {
  await tx
    .updateTable('mail_templates')
    .set({ ...(texts ?? OWN_TEXTS), updated_at: version })
    .where('kind', '=', kind)
    .execute();
}

/** The instructions for payments by transfer, as the settings have them; empty without any. */
export async function readInstructions(db: Db): Promise<string> {
  const row = await db.selectFrom('payment_settings').select('instructions').executeTakeFirst();
  return row?.instructions ?? '';
}

/** The present facts about a licence and its client, for a mail. */
export async function findMailedLicense(db: Db, id: number) {
  const row = await db
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .leftJoin('license_types', 'license_types.id', 'licenses.license_type_id')
    .where('licenses.id', '=', id)
    .select(['licenses.id', 'licenses.license_key', 'licenses.license_type', 'licenses.max_installations'])
    .select(['licenses.issued_date', 'licenses.expiry_date', 'licenses.status'])
    .select(['licenses.updates_until', 'licenses.activate_by'])
    .select(['software.name as software_name', 'software.version as software_version'])
    .select(['license_types.name as license_type_name'])
    .select(['clients.id as client_id', 'clients.name', 'clients.company', 'clients.email'])
    .select('clients.email_verified')
    .executeTakeFirst();
  if (!row) return undefined;
  const { client_id, name, company, email, email_verified, ...license } = row;
  const client = clientVariables({ name, company, email });
  return {
    client_id,
    client: email_verified ? client : withoutFreeText(client),
    license: license satisfies MailedLicense,
  };
}
