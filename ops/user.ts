// npm run user -- …: commands on the server's machine that help a person who cannot sign in.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readConfig } from '../server/config.ts';
import type { AppContext } from '../server/context.ts';
import { engineOf, migrate, openDatabase } from '../server/db/open.ts';
import { refuseInterrupted } from '../server/db/restore-steps.ts';
import { storePassword } from '../server/features/people/account/set-password.ts';
import { createSignInLink } from '../server/features/people/oidc/link-sign-in.ts';
import { resetSecondFactor } from '../server/features/people/second-factor/set-up-second-factor.ts';
import { findUserByUsername } from '../server/features/people/sign-in/auth.queries.ts';
import { allUsers, statusOf } from '../server/features/people/users/users.queries.ts';
import { retireSigningKeys } from '../server/features/programs/signing/signing-keys.queries.ts';
import { writeDeliveries } from '../server/features/webhooks/write-deliveries.ts';
import { hashPassword } from '../server/lib/password.ts';
import { isWeakForAdmin } from '../server/lib/weak-secret.ts';
import { inScope, type Scope } from '../server/scope.ts';
import { COMMAND_LINE, NO_SECRETS } from './command-line.ts';
import { endWithMessage } from './end-with-message.ts';

const USAGE = `Uso:
  npm run user -- list                 lista los usuarios
  npm run user -- password USUARIO     pone una contraseña nueva y la muestra una vez
  npm run user -- mfa USUARIO          quita la verificación en dos pasos y las llaves de acceso
  npm run user -- link USUARIO         muestra un enlace con el que un administrador entra, una vez, en 10 minutos
  npm run user -- lost-key             cuando se perdió la clave (SECRET_KEY o secret.key): quita la verificación en
                                       dos pasos de todos, que nadie puede leer ya, y cambia las claves de firma`;

const LOST = `Nadie tiene ya verificación en dos pasos.
El próximo inicio del servidor usa la clave que encuentre y crea claves de firma.
Todavía hay que:
- dar las claves públicas nuevas a los programas que las tienen incluidas (Configuración › Firma para programas);
- rotar el secreto de cada webhook (Configuración › Webhooks): hasta entonces no envía nada;
- escribir de nuevo los datos de Mercado Pago y Stripe (Configuración › Pagos).`;

/** A command that cannot be executed. The message explains the correct use, in Spanish. */
export class UserCommandError extends Error {
  override name = 'UserCommandError';
}

/** Without characters that look alike. 20 characters are 98 random bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const randomPassword = () =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');

/** A password that does for an administrator too: one in a few thousand contains a short user name. */
function newPassword(username: string): string {
  const password = randomPassword();
  return isWeakForAdmin(password, username) ? newPassword(username) : password;
}

/**
 * Runs a command on the configured database, whether a server runs or not. Its changes write events.
 * @returns the text to print
 * @throws UserCommandError for an unknown command or user
 */
export async function runUserCommand(
  context: Pick<AppContext, 'db' | 'config' | 'now'>,
  [command, username = '']: string[],
): Promise<string> {
  const { db } = context;
  if (command === 'list') {
    const users = await allUsers(db);
    return users.map((user) => `${user.username}\t${user.role}\t${statusOf(user)}\t${user.email}`).join('\n');
  }
  const change = <Result>(work: (scope: Scope) => Promise<Result>) =>
    inScope(
      { ...context, secrets: NO_SECRETS, publish: writeDeliveries, nudgeJobs: () => {} },
      { actor: COMMAND_LINE },
      work,
    );
  if (command === 'lost-key') {
    await change(async (scope) => {
      for (const { id } of await allUsers(scope.tx))
        await resetSecondFactor(scope, id, USAGE, { passkeys: true });
      // The next start makes signing keys that it can read.
      await retireSigningKeys(scope.tx, scope.now);
      // The next start of the server then accepts its key and stores a new proof of it.
      await scope.tx.deleteFrom('secret_proof').execute();
    });
    return LOST;
  }
  if (!['password', 'mfa', 'link'].includes(command ?? '') || username === '')
    throw new UserCommandError(USAGE);
  const user = await findUserByUsername(db, username);
  if (!user) throw new UserCommandError(`No hay un usuario «${username}». Míralos con: npm run user -- list`);
  if (command === 'mfa') {
    await change((scope) => resetSecondFactor(scope, user.id, USAGE));
    return `${user.username}: sin verificación en dos pasos ni llaves de acceso. Sus sesiones terminaron.`;
  }
  if (command === 'link') {
    if (user.role !== 'admin' || statusOf(user) !== 'active')
      throw new UserCommandError(`«${username}» no es un administrador activo.`);
    const path = await change((scope) => createSignInLink(scope, user.id));
    return `Abre en los próximos 10 minutos, una sola vez: ${context.config.publicUrl}${path}`;
  }
  const password = newPassword(user.username);
  const hashed = { password_hash: await hashPassword(password), weak_for_admin: false };
  const keys = await change((scope) => storePassword(scope, user, hashed));
  const done = `${user.username}: contraseña nueva ${password}\nSus sesiones terminaron. Cámbiala en Mi cuenta.`;
  if (keys.length === 0) return done;
  const names = keys.map(({ name, last_four }) => `- ${name} (…${last_four})`);
  return [
    done,
    'Sus claves de API siguen funcionando. Si alguien entró en su cuenta, revócalas:',
    ...names,
  ].join('\n');
}

if (import.meta.main) {
  const config = readConfig(process.env);
  const engine = engineOf(config);
  const db = openDatabase(engine, () => {});
  try {
    // The connection opens with the first query. A missing file would be created, as an empty installation.
    if (engine.kind === 'sqlite') {
      refuseInterrupted(engine.file);
      if (!existsSync(engine.file)) {
        const message = `No hay una base de datos en ${config.dataDir}. Corrige DATA_DIR o DATABASE_URL.`;
        throw new UserCommandError(message);
      }
    }
    await migrate(db);
    console.log(await runUserCommand({ db, config, now: () => new Date() }, process.argv.slice(2)));
  } catch (error) {
    endWithMessage(error);
  } finally {
    await db.destroy();
  }
}
