import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** What an attacker can create: keys, and tokens that look like the server's. */

export type PublicKey = { kid: string; x: string; y: string };
export type ForgedPair = { privateKey: KeyObject; jwk: PublicKey };

const inBase64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A key pair that no program contains. Its kid is the thumbprint, as for a real key. */
export function newPair(): ForgedPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const thumbprint = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y });
  return { privateKey, jwk: { kid: createHash('sha256').update(thumbprint).digest('base64url'), x, y } };
}

/** SHA-256 of a key as in tokens, independent of how it is typed. */
export const keyHash = (key: string) =>
  createHash('sha256').update(key.replace(/[\s-]/g, '').toUpperCase()).digest('hex');

export type Asked = { software: string; machine_id: string; license_key: string; nonce?: string };

/** Claims that an attacker would want. */
export function wishedClaims(asked: Asked, call: string, changes = {}) {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: 'https://licencias.example.com',
    aud: asked.software,
    sub: '1',
    ...{ iat, nbf: iat, exp: iat + 365 * 24 * 60 * 60 },
    jti: 'forged',
    ...(asked.nonce !== undefined && { nonce: asked.nonce }),
    mid: createHash('sha256').update(asked.machine_id).digest('hex'),
    key_hash: keyHash(asked.license_key),
    ...{ call, seat: true },
    ...{ valid: true, reason: null, status: 'active', license_type: 'enterprise' },
    features: { modulo_nomina: true },
    ...{ seats: 500, license_expires: null, in_grace: false },
    ...changes,
  };
}
export type Claims = ReturnType<typeof wishedClaims>;

const headerOf = (kid: string, changes = {}) => ({ alg: 'ES256', kid, typ: 'license+jwt', ...changes });

/** The header of a license file. */
export const FILE_HEADER = { typ: 'license-file+jwt' };

/** A token signed with ES256, with any kid and header. */
export function signedBy(pair: ForgedPair, claims: object, kid = pair.jwk.kid, header = {}): string {
  const content = `${inBase64Url(headerOf(kid, header))}.${inBase64Url(claims)}`;
  const options = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${content}.${sign('sha256', Buffer.from(content), options).toString('base64url')}`;
}

/** A token without a signature. */
export const unsigned = (claims: object, kid: string, signature = '', alg = 'none') =>
  `${inBase64Url(headerOf(kid, { alg }))}.${inBase64Url(claims)}.${signature}`;

/** A token signed with HS256 and this secret, which is the public key that everybody has. */
export function keyedBy(secret: string | Buffer, claims: object, kid: string): string {
  const content = `${inBase64Url(headerOf(kid, { alg: 'HS256' }))}.${inBase64Url(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** The token with changed claims and the old signature. */
export function withClaims(token: string, changes: object): string {
  const [head, body = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
  return `${head}.${inBase64Url({ ...claims, ...changes })}.${signature}`;
}

/** Both coordinates of a public key as bytes. */
export const pointOf = ({ x, y }: PublicKey) =>
  Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
