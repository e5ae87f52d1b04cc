import type { LicenseClaims, PublicJwk, TokenCall } from '../../../../contract/programs/license-token.ts';
import { TOKEN_ALGORITHM, TOKEN_TYPE } from '../../../../contract/programs/license-token.ts';
import { countedInKey } from '../../../../contract/reading/license-keys.ts';

/** Why a program would refuse an answer: the first failed check of docs/offline.md. */
type TokenFault =
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'unknown_key'
  | 'signature'
  | 'audience'
  | 'machine'
  | 'key_hash'
  | 'call'
  | 'seat'
  | 'nonce';

/** What a program knows about its own call when it reads the answer. */
interface Question {
  keys: readonly Pick<PublicJwk, 'kid' | 'x' | 'y'>[];
  software: string;
  machineId: string;
  /** The key as typed. */
  licenseKey: string;
  call: TokenCall;
  nonce: string;
}

export type Reading = { claims: LicenseClaims; kid: string } | { fault: TokenFault };

const SIGNATURE_BYTES = 64;

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function recordOf(text: string): Record<string, unknown> | null {
  const bytes = bytesOf(text);
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** SHA-256 in hexadecimal, used in tokens for machine ids and keys. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function isSignedBy(
  { x, y }: Pick<PublicJwk, 'x' | 'y'>,
  content: string,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, curve, false, [
    'verify',
  ]);
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, utf8(content));
}

/**
 * Reads the token of an answer like a program: with the checks of docs/offline.md, in its order. It needs WebCrypto,
 * which browsers provide only with HTTPS and on localhost.
 */
export async function readFreshToken(token: string, asked: Question): Promise<Reading> {
  const parts = token.split('.');
  const [head = '', body = '', signed = ''] = parts;
  const header = recordOf(head);
  if (parts.length !== 3 || header === null) return { fault: 'malformed' };
  if (header.alg !== TOKEN_ALGORITHM) return { fault: 'algorithm' };
  if (header.typ !== TOKEN_TYPE) return { fault: 'type' };
  const key = asked.keys.find(({ kid }) => kid === header.kid);
  if (key === undefined) return { fault: 'unknown_key' };
  const signature = bytesOf(signed);
  if (signature?.length !== SIGNATURE_BYTES) return { fault: 'signature' };
  if (!(await isSignedBy(key, `${head}.${body}`, signature))) return { fault: 'signature' };
  const claims = recordOf(body);
  if (claims === null) return { fault: 'malformed' };
  if (claims.aud !== asked.software) return { fault: 'audience' };
  if (claims.mid !== (await sha256(asked.machineId.trim()))) return { fault: 'machine' };
  if (claims.key_hash !== (await sha256(countedInKey(asked.licenseKey)))) return { fault: 'key_hash' };
  if (claims.call !== asked.call) return { fault: 'call' };
  if (claims.valid === true && claims.seat !== true) return { fault: 'seat' };
  if (claims.nonce !== asked.nonce) return { fault: 'nonce' };
  // The cast is safe: the signature shows that this server wrote the claims.
  return { claims: claims as unknown as LicenseClaims, kid: key.kid };
}
