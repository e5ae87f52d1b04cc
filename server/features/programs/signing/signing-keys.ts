import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import {
  type PublicJwk,
  publicJwk,
  type SigningKey,
  TOKEN_ALGORITHM,
} from '../../../../contract/programs/license-token.ts';
import type { SigningKeyRow } from '../../../db/tables.ts';
import type { SecretBox } from '../../../lib/secret-box.ts';
import { keptUntil } from './signing-keys.queries.ts';

/** The purpose for encrypting a private key. */
const purposeOf = (kid: string) => `signing-key:${kid}`;

/** The thumbprint of a public key, which is its kid (RFC 7638). */
const thumbprint = ({ crv, kty, x, y }: Pick<PublicJwk, 'crv' | 'kty' | 'x' | 'y'>): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');

/** The public key as an entry of the JWK Set. */
export function toPublicJwk(key: KeyObject): PublicJwk {
  const point = key.export({ format: 'jwk' }) as Pick<PublicJwk, 'kty' | 'crv' | 'x' | 'y'>;
  const { kty, crv, x, y } = point;
  return { kty, crv, x, y, kid: thumbprint(point), use: 'sig', alg: TOKEN_ALGORITHM };
}

/** Makes a key pair for ES256; its private key is encrypted. */
export function newSigningKey(secrets: SecretBox, state: 'current' | 'next', now: Date): SigningKeyRow {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = toPublicJwk(publicKey);
  const stamp = now.toISOString();
  return {
    kid: jwk.kid,
    state,
    public_key: JSON.stringify(jwk),
    private_key: secrets.seal(
      privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      purposeOf(jwk.kid),
    ),
    created_at: stamp,
    current_since: state === 'current' ? stamp : null,
    retired_at: null,
    files_end: null,
  };
}

/**
 * Decrypts a private key.
 * @throws when it was encrypted with another SECRET_KEY
 */
export const openPrivateKey = (
  secrets: SecretBox,
  { kid, private_key }: Pick<SigningKeyRow, 'kid' | 'private_key'>,
) => createPrivateKey(secrets.open(private_key, purposeOf(kid)));

export const readPublicJwk = ({ public_key }: Pick<SigningKeyRow, 'public_key'>): PublicJwk =>
  publicJwk.parse(JSON.parse(public_key));

/** A key in the form for administrators. */
export function toSigningKey(row: SigningKeyRow): SigningKey {
  const { kid, state, created_at, current_since, retired_at } = row;
  const jwk = readPublicJwk(row);
  return {
    kid,
    state,
    created_at,
    current_since,
    retired_at,
    kept_until: keptUntil(row),
    public_jwk: jwk,
    public_pem: createPublicKey({ key: { ...jwk }, format: 'jwk' })
      .export({ format: 'pem', type: 'spki' })
      .toString(),
  };
}
