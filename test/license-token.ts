import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * An independent check of tokens, like that of a program: it uses the public keys and docs/offline.md, and imports
 * nothing of the server.
 */

export type Jwk = { kid: string; [name: string]: unknown };

// biome-ignore lint/suspicious/noExplicitAny: the test checks the shape
export type Claims = any;

const part = (text: string | undefined) => JSON.parse(Buffer.from(text ?? '', 'base64url').toString());

export const TOKEN_TYPE = 'license+jwt';
export const FILE_TYPE = 'license-file+jwt';

/**
 * The header and the claims of a token.
 * @throws if it is not signed with ES256 by a key of the set, or has another type
 */
export function readToken(
  token: unknown,
  keys: readonly Jwk[],
  typ = TOKEN_TYPE,
): { header: Claims; claims: Claims } {
  const parts = String(token).split('.');
  if (parts.length !== 3) throw new Error('not a compact JWS');
  const [head, body, signature] = parts;
  const header = part(head);
  if (header.alg !== 'ES256' || header.typ !== typ) throw new Error('another kind of token');
  const jwk = keys.find(({ kid }) => kid === header.kid);
  if (!jwk) throw new Error('unknown key');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature ?? '', 'base64url'),
  );
  if (!isSigned) throw new Error('not signed by this key');
  return { header, claims: part(body) };
}

export const machineHash = (machineId: string) => createHash('sha256').update(machineId).digest('hex');

export const keyHash = (key: string) =>
  createHash('sha256').update(key.replace(/[\s-]/g, '').toUpperCase()).digest('hex');

/**
 * The token in a license file.
 * @throws for any other text
 */
export function readLicenseFile(text: string): string {
  const form = /^-----BEGIN LICENSE FILE-----\r?\n([\s\S]*)\r?\n-----END LICENSE FILE-----\r?\n?$/;
  const content = form.exec(text)?.[1];
  if (content === undefined) throw new Error('not a licence file');
  return content.replace(/\s/g, '');
}
