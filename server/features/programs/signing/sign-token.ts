import { type KeyObject, sign } from 'node:crypto';
import {
  FILE_TYPE,
  type LicenseClaims,
  TOKEN_ALGORITHM,
  TOKEN_TYPE,
} from '../../../../contract/programs/license-token.ts';
import type { Db } from '../../../db/tables.ts';
import type { SecretBox } from '../../../lib/secret-box.ts';
import { findCurrentKey } from './signing-keys.queries.ts';
import { openPrivateKey } from './signing-keys.ts';

/** The decrypted private keys of a process, by secret box: decrypting one takes as long as signing. */
const opened = new WeakMap<SecretBox, Map<string, KeyObject>>();

const inBase64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs claims with the current key: a compact JWS (RFC 7515) with ES256 (RFC 7518).
 * @returns the token, and the kid of its key
 * @throws when there is no current key; the server's start creates it
 */
export async function signToken(
  db: Db,
  secrets: SecretBox,
  claims: LicenseClaims,
): Promise<{ token: string; kid: string }> {
  const row = await findCurrentKey(db);
  if (!row) throw new Error('There is no key to sign with.');
  const { kid } = row;
  const keys = opened.get(secrets) ?? new Map<string, KeyObject>();
  opened.set(secrets, keys);
  let key = keys.get(kid);
  if (!key) {
    key = openPrivateKey(secrets, row);
    keys.set(kid, key);
  }
  const typ = claims.call === 'file' ? FILE_TYPE : TOKEN_TYPE;
  const content = `${inBase64Url({ alg: TOKEN_ALGORITHM, kid, typ })}.${inBase64Url(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return { token: `${content}.${signature.toString('base64url')}`, kid };
}
