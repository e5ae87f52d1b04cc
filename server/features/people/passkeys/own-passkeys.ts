import type { z } from 'zod';
import {
  PASSKEY_MESSAGES,
  PASSKEYS_MAX,
  type Passkey,
  type passkeyCreate,
  type passkeyOptions,
} from '../../../../contract/people/passkeys.ts';
import type { AppContext } from '../../../context.ts';
import { isUniqueViolationOf } from '../../../db/dialect.ts';
import type { Db, PasskeyRow } from '../../../db/tables.ts';
import { conflict, fault, invalid, notFound, unauthorized } from '../../../errors.ts';
import { fullName } from '../../../lib/full-name.ts';
import type { Session } from '../../../principal.ts';
import { record } from '../../../records/record-event.ts';
import type { Scope } from '../../../scope.ts';
import { NOTICES, queueNotice } from '../../mail/security-notice.ts';
import { readSettings } from '../../settings/settings.queries.ts';
import { getUserById, lockActiveUser, userActor } from '../sign-in/auth.queries.ts';
import { type Challenge, newChallenge, readChallenge, takeChallenge } from './challenges.ts';
import {
  countPasskeys,
  credentialsOf,
  deletePasskey,
  findOwnPasskey,
  toPasskey,
} from './passkeys.queries.ts';
import { type RelyingParty, requireRelyingParty } from './relying-party.ts';
import { readRegistration } from './responses.ts';
import { checkRegistration, type NewCredential, registrationOptions } from './web-authn.ts';

/** A person's own passkeys: adding, naming and removing them (SIGN-01). */

const wrongResponse = () => invalid({ response: [fault('invalid', PASSKEY_MESSAGES.wrong)] });
const missing = () => notFound(PASSKEY_MESSAGES.notFound);

/**
 * What authenticators call a person. It tells nothing of the person, and stays the same, so that a device that has a
 * passkey of the person knows that it has.
 */
const handleOf = ({ secrets }: Pick<AppContext, 'secrets'>, userId: number) =>
  secrets.codeOf(String(userId), 'passkey user');

async function refuseTooMany(db: Db, userId: number): Promise<void> {
  if ((await countPasskeys(db, userId)) >= PASSKEYS_MAX) throw conflict(PASSKEY_MESSAGES.tooMany);
}

/**
 * Begins to add a passkey.
 * @throws conflict (409) where passkeys are not offered, and with too many
 */
export async function optionsForNewPasskey(
  context: AppContext,
  { userId, sessionId }: Session,
): Promise<z.input<typeof passkeyOptions>> {
  const { db, config } = context;
  const relyingParty = requireRelyingParty(config);
  await refuseTooMany(db, userId);
  const user = await getUserById(db, userId);
  const { vendor_name } = await readSettings(db);
  const options = await registrationOptions(relyingParty, {
    owner: { handle: handleOf(context, userId), username: user.username, name: fullName(user) },
    vendor: vendor_name,
    known: await credentialsOf(db, userId, relyingParty.id),
    challenge: newChallenge(context, { registration: sessionId }),
  });
  return { options: { ...options } };
}

/** A response that was checked, for {@link addPasskey}. */
type Checked = {
  relyingParty: RelyingParty;
  challenge: Challenge;
  credential: NewCredential;
  userHandle: string;
};

/**
 * Checks the browser's response to the options. Call it before the transaction that stores the passkey, because
 * checking takes time.
 * @throws invalid (400) on `response`; conflict (409) where passkeys are not offered
 */
export async function checkNewPasskey(
  context: AppContext,
  sent: z.output<typeof passkeyCreate>['response'],
  { userId, sessionId }: Session,
): Promise<Checked> {
  const relyingParty = requireRelyingParty(context.config);
  const response = readRegistration(sent);
  const challenge =
    response && readChallenge(context, { registration: sessionId }, response.response.clientDataJSON);
  const credential = challenge && (await checkRegistration(relyingParty, response, challenge.named));
  if (!credential) throw wrongResponse();
  return { relyingParty, challenge, credential, userHandle: handleOf(context, userId) };
}

/**
 * Stores a passkey, and tells its person by mail.
 * @throws invalid (400) on `response` for a challenge that was used; conflict (409) with too many, and for one that is
 * stored already; unauthorized (401) if the person was deactivated meanwhile
 */
export async function addPasskey(
  scope: Scope,
  userId: number,
  { relyingParty, challenge, credential, userHandle }: Checked,
  name: string,
): Promise<Passkey> {
  const { tx, now } = scope;
  if (!(await lockActiveUser(tx, userId))) throw unauthorized();
  if (!(await takeChallenge(tx, challenge))) throw wrongResponse();
  await refuseTooMany(tx, userId);
  const values = {
    ...credential,
    user_id: userId,
    name,
    user_handle: userHandle,
    rp_id: relyingParty.id,
    created_at: now.toISOString(),
    last_used_at: null,
  };
  const stored = await tx
    .insertInto('passkeys')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown): never => {
      throw isUniqueViolationOf(error, 'credential_id') ? conflict(PASSKEY_MESSAGES.known) : error;
    });
  const user = await getUserById(tx, userId);
  await record(scope, {
    type: 'user.passkey_added',
    subject: userActor(user),
    changes: { passkey: { before: null, after: name } },
  });
  await queueNotice(scope, user, NOTICES.passkeyAdded(name));
  return toPasskey(stored);
}

/** Locks the person, so that concurrent calls about one passkey follow each other, and reads the passkey. */
async function lockOwn(tx: Db, id: number, userId: number): Promise<PasskeyRow> {
  if (!(await lockActiveUser(tx, userId))) throw unauthorized();
  const passkey = await findOwnPasskey(tx, id, userId);
  if (!passkey) throw missing();
  return passkey;
}

/**
 * Gives a passkey another name.
 * @throws notFound (404), also for a passkey of somebody else
 */
export async function renamePasskey(
  scope: Scope,
  { id, userId }: { id: number; userId: number },
  name: string,
): Promise<Passkey> {
  const { tx } = scope;
  const passkey = await lockOwn(tx, id, userId);
  if (passkey.name === name) return toPasskey(passkey);
  await tx.updateTable('passkeys').set({ name }).where('id', '=', id).execute();
  await record(scope, {
    type: 'user.updated',
    subject: userActor(await getUserById(tx, userId)),
    changes: { passkey: { before: passkey.name, after: name } },
  });
  return toPasskey({ ...passkey, name });
}

/**
 * Removes a passkey, ends the other sessions that it opened, and tells its person by mail.
 * @throws notFound (404), also for a passkey of somebody else
 */
export async function removePasskey(scope: Scope, id: number, session: Session): Promise<void> {
  const { tx, now } = scope;
  const passkey = await lockOwn(tx, id, session.userId);
  await deletePasskey(tx, passkey, now, session.sessionId);
  const user = await getUserById(tx, session.userId);
  await record(scope, {
    type: 'user.passkey_removed',
    subject: userActor(user),
    changes: { passkey: { before: passkey.name, after: null } },
  });
  await queueNotice(scope, user, NOTICES.passkeyRemoved(passkey.name));
}
