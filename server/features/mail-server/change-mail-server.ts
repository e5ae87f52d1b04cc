import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import {
  MAIL_CONNECTION_FIELDS,
  MAIL_SERVER_MESSAGES,
  type MailSecurity,
  type MailSettings,
  type MailSettingsUpdate,
} from '../../../contract/mail/mail-settings.ts';
import type { Changes } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, MailSettingsRow } from '../../db/tables.ts';
import { fault, invalid, stale } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { addressesOfHost } from '../../lib/network-address.ts';
import { within } from '../../lib/within.ts';
import { unreachableBecause } from '../../mail-connection.ts';
import { MAIL_PASSWORD_PURPOSE, openServer, readMailServer } from '../../mail-server.ts';
import { record } from '../../records/record-event.ts';
import { isExpected, nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { NOTICES, queueNotice } from '../mail/security-notice.ts';
import { mailedAdmins } from '../people/users/users.queries.ts';

/** Configuración › Correos, 'Servidor de correo' (DESK-07). No answer and no event contains the password. */

const NONE: MailSettingsRow = {
  id: 1,
  host: '',
  port: 587,
  security: 'starttls',
  username: '',
  password: null,
  sender: '',
  updated_at: '1970-01-01T00:00:00.000Z',
};

type Config = Pick<AppContext['config'], 'smtpUrl' | 'mailFrom'>;

const shown = (row: MailSettingsRow, { smtpUrl, mailFrom }: Config): MailSettings => ({
  host: row.host,
  port: row.port,
  security: row.security as MailSecurity,
  username: row.username,
  has_password: row.password !== null,
  from: row.sender,
  smtp_url: smtpUrl !== null,
  sender: smtpUrl === null && row.host !== '' && row.sender !== '' ? row.sender : mailFrom,
  updated_at: row.updated_at,
});

export const mailSettingsOf = async (db: Db, config: Config): Promise<MailSettings> =>
  shown((await readMailServer(db)) ?? NONE, config);

/** How long a save waits for the look-up of the server's name. */
const LOOK_UP_MS = 3000;

/**
 * Checks where a server's name leads now. A name that is not known yet is accepted: each connection looks it up again.
 * @throws invalid (400) with `errors.host`
 */
export async function checkHost(
  { config, db, lookUp }: Pick<AppContext, 'config' | 'db' | 'lookUp'>,
  body: MailSettingsUpdate,
): Promise<void> {
  const row = (await readMailServer(db)) ?? NONE;
  const { host = row.host, security = row.security as MailSecurity } = body;
  if (host === '') return;
  const looking = addressesOfHost(lookUp, host).catch(() => []);
  const addresses = (await within(LOOK_UP_MS, looking)) ? await looking : [];
  if (addresses.length === 0) return;
  const refusal = unreachableBecause(config, security, addresses);
  if (refusal === 'private')
    throw invalid({ host: [fault('not_allowed', MAIL_SERVER_MESSAGES.privateAddress)] });
  if (refusal === 'unencrypted')
    throw invalid({ security: [fault('not_allowed', MAIL_SERVER_MESSAGES.noneNeedsLoopback)] });
}

/**
 * Stores the given values and leaves the others unchanged. A change of server, port, security or user drops the
 * password, unless the call brings one: it must not go to another server. The administrators are told by the mail
 * server of before.
 * @throws stale (412); invalid (400)
 */
export async function changeMailServer(
  scope: Scope,
  config: Config,
  body: MailSettingsUpdate,
): Promise<MailSettings> {
  const { tx, now, secrets } = scope;
  const before = await lockServer(tx);
  if (!isExpected(scope, before.updated_at)) throw stale(shown(before, config));
  const after = rowAfter(scope, before, body);
  const changes = changesOf(before, after, body);
  if (Object.keys(changes).length === 0) return shown(before, config);
  after.updated_at = nextVersion(before.updated_at, now);
  await tx.updateTable('mail_settings').set(after).execute();
  await record(scope, { type: 'settings.updated', subject: { id: null, name: 'Configuración' }, changes });
  const notice = NOTICES.mailServer(nameOf(before), nameOf(after));
  // With SMTP_URL the stored server sends nothing, neither before nor after.
  const via = config.smtpUrl === null && before.host !== '' ? openServer(secrets, before) : undefined;
  for (const admin of await mailedAdmins(tx))
    await queueNotice(scope, admin, notice, via?.password == null ? {} : { via });
  return shown(after, config);
}

const nameOf = ({ host, port }: MailSettingsRow): string | null => (host === '' ? null : `${host}:${port}`);

/** The stored row, locked until the transaction ends; it is made where there is none. */
async function lockServer(tx: Db): Promise<MailSettingsRow> {
  await tx
    .insertInto('mail_settings')
    .values(NONE)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return mustExist(
    await lockRows(tx, tx.selectFrom('mail_settings').selectAll()).executeTakeFirst(),
    'mail settings',
  );
}

/** @throws invalid (400) for values that do not fit together */
function rowAfter(
  { secrets }: Scope,
  before: MailSettingsRow,
  { host, port, security, username, password, from }: MailSettingsUpdate,
): MailSettingsRow {
  // Without a server nothing else is kept, the password least of all.
  if (host === '') return { ...NONE, updated_at: before.updated_at };
  const after: MailSettingsRow = {
    ...before,
    host: host ?? before.host,
    port: port ?? before.port,
    security: security ?? before.security,
    username: username ?? before.username,
    sender: from ?? before.sender,
  };
  const isOther = MAIL_CONNECTION_FIELDS.some((field) => after[field] !== before[field]);
  if (password !== undefined)
    after.password = password === '' ? null : secrets.seal(password, MAIL_PASSWORD_PURPOSE);
  else if (isOther) after.password = null;
  refuseContradictions(before, after, password);
  return after;
}

function refuseContradictions(
  before: MailSettingsRow,
  { host, security, username, password }: MailSettingsRow,
  sent: string | undefined,
): void {
  const faults: FieldFaults = {};
  const {
    passwordAgain,
    passwordMissing,
    usernameMissing,
    noneTakesNoUser,
    host: hostMessage,
  } = MAIL_SERVER_MESSAGES;
  if (host === '') faults.host = [fault('required', hostMessage)];
  else if (security === 'none' && username !== '') faults.username = [fault('not_allowed', noneTakesNoUser)];
  else if (username !== '' && password === null) {
    const isDropped = sent === undefined && before.password !== null;
    faults.password = [fault('required', isDropped ? passwordAgain : passwordMissing)];
  } else if (username === '' && password !== null) faults.username = [fault('required', usernameMissing)];
  if (Object.keys(faults).length > 0) throw invalid(faults);
}

const MASK = '•••';

function changesOf(
  before: MailSettingsRow,
  after: MailSettingsRow,
  { password }: MailSettingsUpdate,
): Changes {
  const changes: Changes = {};
  const compared = { ...before, server: nameOf(before) ?? '' };
  const now = { ...after, server: nameOf(after) ?? '' };
  const names = {
    server: 'mail_server',
    security: 'mail_security',
    username: 'mail_username',
    sender: 'mail_sender',
  } as const;
  for (const field of ['server', 'security', 'username', 'sender'] as const) {
    if (compared[field] !== now[field])
      changes[names[field]] = { before: compared[field] || null, after: now[field] || null };
  }
  // A stored password cannot be compared without decrypting it, so each sent one counts as changed.
  const isChanged = password ? true : (before.password === null) !== (after.password === null);
  if (isChanged)
    changes.mail_password = {
      before: before.password === null ? null : MASK,
      after: after.password === null ? null : MASK,
    };
  return changes;
}
