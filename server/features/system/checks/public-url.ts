import { connect } from 'node:tls';
import { z } from 'zod';
import type { AppContext } from '../../../context.ts';
import { isLoopbackHost } from '../../../lib/this-machine.ts';
import { listPublicKeys } from '../../programs/signing/signing-keys.queries.ts';
import { type Check, counted, failure, ok, warning } from './check.ts';

const TIMEOUT_MS = 8000;

const keySet = z.object({ keys: z.array(z.object({ kid: z.string() })) });

/** The reason of a failed call: fetch wraps the error of the socket in its own error. */
function causeOf(error: unknown): string {
  const cause: unknown = (error as { cause?: unknown }).cause;
  const { code, message } = (cause ?? error) as { code?: string; message?: string };
  return code ?? message ?? String(error);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'su nombre no existe en el DNS',
  EAI_AGAIN: 'el DNS no respondió',
  ECONNREFUSED: 'nada escucha en ese puerto',
  ECONNRESET: 'la conexión se cortó',
  ETIMEDOUT: 'no respondió a tiempo',
  UND_ERR_CONNECT_TIMEOUT: 'no respondió a tiempo',
  CERT_HAS_EXPIRED: 'su certificado venció',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'su certificado lo firmó él mismo',
  SELF_SIGNED_CERT_IN_CHAIN: 'su certificado no es de una autoridad conocida',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'a su certificado le falta el intermedio',
  ERR_TLS_CERT_ALTNAME_INVALID: 'su certificado es de otro nombre',
};

const reasonFor = (code: string): string => REASONS[code] ?? code.slice(0, 200);

/** Compares the public signing keys to find out which installation answers: no two installations have the same keys. */
export const publicUrl: Check = {
  id: 'public_url',
  needs: 'schema',
  callsOut: true,
  run: async ({ config, db }) => {
    if (config.linkBase === '' && config.port === 0) return null;
    const url = config.publicUrl;
    const remedy =
      'Revisa PUBLIC_URL, el DNS de su nombre y el proxy. Si solo falla desde este equipo, su red no deja llamarse a sí misma por fuera.';
    let answer: Response;
    try {
      answer = await fetch(`${url}/.well-known/jwks.json`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      const reason = reasonFor(causeOf(error));
      if (config.linkBase === '') {
        return warning(
          `El servidor no responde en ${url}: ${reason}.`,
          'Inicia el servidor, o escribe en PORT el puerto que usa.',
        );
      }
      return failure(`${url} no responde: ${reason}.`, remedy);
    }
    if (answer.status >= 300 && answer.status < 400) {
      return failure(
        `${url} lleva a otra dirección (${answer.status}).`,
        'Escribe en PUBLIC_URL la dirección final, con https si el proxy lleva ahí.',
      );
    }
    const found = keySet.safeParse(await answer.json().catch(() => null));
    if (!answer.ok || !found.success) {
      return failure(`En ${url} responde otro programa (${answer.status}).`, remedy);
    }
    const own = new Set((await listPublicKeys(db)).map(({ kid }) => kid));
    if (!found.data.keys.some(({ kid }) => own.has(kid))) {
      return failure(
        `En ${url} responde otro License Manager, con otra base de datos.`,
        'Revisa a qué servidor lleva el proxy, y que DATABASE_URL o DATA_DIR sean los de ese servidor.',
      );
    }
    return ok(`${url} lleva a este servidor.`);
  },
};

const NEAR_DAYS = 14;
const DAY_MS = 24 * 3_600_000;

type Certificate = { days: number; fault: string | null };

/** The certificate of an address, whether or not it is valid. */
function certificateOf(url: URL, now: Date): Promise<Certificate> {
  const { promise, resolve, reject } = Promise.withResolvers<Certificate>();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(url.port || 443),
    servername: host,
    // An invalid certificate must not end the connection, because this check reports it.
    rejectUnauthorized: false,
  });
  socket.setTimeout(TIMEOUT_MS, () =>
    socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
  );
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const { valid_to } = socket.getPeerCertificate();
    // The cast is needed because the types do not say that it is an error with a code.
    const fault = socket.authorizationError as unknown as string | Error | null;
    resolve({
      days: Math.floor((Date.parse(valid_to) - now.getTime()) / DAY_MS),
      fault: fault ? (fault instanceof Error ? causeOf(fault) : String(fault)) : null,
    });
    socket.end();
  });
  return promise;
}

export const certificate: Check = {
  id: 'certificate',
  needs: 'nothing',
  callsOut: true,
  run: async ({ config, now }) => {
    const url = new URL(config.publicUrl);
    if (url.protocol !== 'https:') return null;
    const renew = 'Renuévalo, y revisa que el proxy lo renueve por sí mismo (certbot renew).';
    let found: Certificate;
    try {
      found = await certificateOf(url, now());
    } catch (error) {
      return warning(
        `No se pudo ver: ${reasonFor(causeOf(error))}.`,
        'Revisa PUBLIC_URL y que el proxy esté en marcha.',
      );
    }
    const { days, fault } = found;
    if (days < 0) return failure(`Venció hace ${counted(-days, 'día', 'días')}.`, renew);
    if (fault !== null) {
      return failure(
        `Los navegadores no lo aceptan: ${reasonFor(fault)}.`,
        'Usa un certificado de una autoridad conocida, con su intermedio, para el nombre de PUBLIC_URL.',
      );
    }
    const message = `Le quedan ${counted(days, 'día', 'días')}.`;
    return days < NEAR_DAYS ? warning(message, renew) : ok(message);
  },
};

/** Whether other machines reach the server by its public address. */
export const isPublic = ({ config }: Pick<AppContext, 'config'>): boolean =>
  config.linkBase !== '' && !isLoopbackHost(new URL(config.publicUrl).hostname);
