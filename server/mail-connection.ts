import type { LookupAddress } from 'node:dns';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { CERTIFICATE_PROBLEMS, MAIL_PROBLEMS, type MailSecurity } from '../contract/mail/mail-settings.ts';
import { addressesOfHost, isLoopbackAddress, isPublicAddress, pinnedTo } from './lib/network-address.ts';

/** Opens connections to the mail server of Configuración › Correos, which may not lead into the network (DESK-07). */

export type MailHost = { host: string; port: number; security: MailSecurity };

/** The settings that decide which mail servers may be reached. */
export type MailReach = {
  lookUp: (name: string) => Promise<LookupAddress[]>;
  demo: boolean;
  mailAllowPrivate: boolean;
};

/** A connection that was not made. The message is for staff, and holds nothing that the other side sent. */
export class MailConnectionError extends Error {
  override name = 'MailConnectionError';
}

/** Why these addresses may not be used; null if they may. */
export function unreachableBecause(
  { demo, mailAllowPrivate }: Omit<MailReach, 'lookUp'>,
  security: MailSecurity,
  addresses: readonly LookupAddress[],
): 'private' | 'unencrypted' | null {
  const isHere = addresses.every(({ address }) => isLoopbackAddress(address));
  if (security === 'none' && !isHere) return 'unencrypted';
  if (mailAllowPrivate || (isHere && demo)) return null;
  return addresses.every(({ address }) => isPublicAddress(address)) ? null : 'private';
}

/**
 * Looks the name up, checks its addresses, connects to exactly these, and waits for the greeting of a mail server. So
 * a name that leads elsewhere a moment later changes nothing, and whatever is no mail server is told apart from nothing
 * else (an administrator could otherwise read what listens on other machines).
 * @param milliseconds the time for all of it, however slowly the other side sends
 * @returns the connection, encrypted with the security `tls`; its greeting is still to be read
 * @throws MailConnectionError
 */
export async function openConnection(
  reach: MailReach,
  { host, port, security }: MailHost,
  milliseconds: number,
): Promise<Socket> {
  const deadline = AbortSignal.timeout(milliseconds);
  const addresses = await orTimeout(
    addressesOfHost(reach.lookUp, host).catch(() => refuse(MAIL_PROBLEMS.unknownName)),
    deadline,
  );
  if (addresses.length === 0) return refuse(MAIL_PROBLEMS.unknownName);
  const refusal = unreachableBecause(reach, security, addresses);
  if (refusal !== null)
    return refuse(refusal === 'private' ? MAIL_PROBLEMS.privateAddress : MAIL_PROBLEMS.notHere);
  let socket = await connected(
    connect({ host, port, lookup: pinnedTo(addresses), autoSelectFamily: true }),
    'connect',
    deadline,
    MAIL_PROBLEMS.unreachable,
  );
  if (security === 'tls') {
    const options = { socket, ...(isIP(host) === 0 && { servername: host }), host };
    socket = await connected(connectSecurely(options), 'secureConnect', deadline, MAIL_PROBLEMS.notMail);
  }
  return greeted(socket, deadline);
}

const refuse = (message: string): never => {
  throw new MailConnectionError(message);
};

/** Waits for the work, at most until the deadline, because a look-up of a name cannot be stopped. */
function orTimeout<Result>(work: Promise<Result>, deadline: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new MailConnectionError(MAIL_PROBLEMS.timeout));
  deadline.addEventListener('abort', stop);
  return Promise.race([work, promise]).finally(() => deadline.removeEventListener('abort', stop));
}

/** The socket, once it is open. */
function connected<Open extends Socket>(
  socket: Open,
  event: 'connect' | 'secureConnect',
  deadline: AbortSignal,
  otherwise: string,
): Promise<Open> {
  const { promise, resolve, reject } = Promise.withResolvers<Open>();
  const fail = (error: unknown) => reject(new MailConnectionError(certificateProblem(error) ?? otherwise));
  socket.once(event, () => resolve(socket)).once('error', fail);
  socket.once('close', fail);
  return orTimeout(promise, deadline)
    .catch((error: unknown) => {
      socket.on('error', () => {}).destroy();
      throw error;
    })
    .finally(() => socket.off('error', fail).off('close', fail));
}

/** How many bytes a greeting may have before its first line ends. */
const GREETING_MAX = 2048;

/** The socket, once its first line begins with 220; the bytes that were read are put back. */
function greeted(socket: Socket, deadline: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  let read = Buffer.alloc(0);
  const fail = () => reject(new MailConnectionError(MAIL_PROBLEMS.notMail));
  const onData = (part: Buffer) => {
    read = Buffer.concat([read, part]);
    const isWhole = read.includes('\n');
    if (!isWhole && read.length < GREETING_MAX) return;
    if (!isWhole || !/^220[ -]/.test(read.toString('latin1', 0, 4))) return fail();
    socket.pause();
    socket.off('data', onData);
    socket.unshift(read);
    // Whoever takes it over listens too; an error in between must not end the process.
    socket.on('error', () => {});
    resolve(socket);
  };
  socket.on('data', onData).once('error', fail).once('close', fail);
  return orTimeout(promise, deadline)
    .catch(() => {
      socket.on('error', () => {}).destroy();
      return refuse(MAIL_PROBLEMS.notMail);
    })
    .finally(() => socket.off('data', onData).off('error', fail).off('close', fail));
}

/** The codes of Node's errors about certificates, and in errors of nodemailer their texts. */
const CERTIFICATE: readonly (readonly [RegExp, keyof typeof CERTIFICATE_PROBLEMS])[] = [
  [/SELF_SIGNED|self[- ]signed/i, 'selfSigned'],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (has expired|is not yet valid)/i, 'expired'],
  [/ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|does not match certificate/i, 'name'],
  [/UNABLE_TO_(GET|VERIFY)|unable to (get|verify)/i, 'unknown'],
  [/CERT_/, 'other'],
];

/** What is wrong with the certificate, if an error is about one; else null. */
export function certificateProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const text = `${'code' in error ? error.code : ''} ${error.message}`;
  const found = CERTIFICATE.find(([pattern]) => pattern.test(text));
  return found ? MAIL_PROBLEMS.certificate(CERTIFICATE_PROBLEMS[found[1]]) : null;
}
