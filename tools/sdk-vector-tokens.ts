import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { licenseFileText } from '../contract/programs/license-file.ts';
import {
  FILE_TYPE,
  type LicenseClaims,
  TOKEN_TYPE,
  type TokenCall,
} from '../contract/programs/license-token.ts';
import { toPublicJwk } from '../server/features/programs/signing/signing-keys.ts';

/** The parts of which tools/sdk-vectors.ts makes its cases: keys, valid and invalid tokens, and the type of a case. */

export const AUDIENCE = 'punto-de-venta';
export const MACHINE = 'caja-01';
export const KEY = 'DEMAA-22222-33333-44444-55555';
export const OTHER_KEY = 'DEMBB-22222-33333-44444-55555';
export const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';
export const NOW = Date.parse('2026-11-22T18:00:00.000Z') / 1000;
export const DAY = 24 * 60 * 60;

type Pair = { kid: string; privateKey: KeyObject; publicKey: KeyObject };

function newPair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: toPublicJwk(publicKey).kid, privateKey, publicKey };
}

export const [current, next, later, retired, stranger] = [
  newPair(),
  newPair(),
  newPair(),
  newPair(),
  newPair(),
];

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** The hash of a key that consists of letters, digits and hyphens. */
export const keyHash = (key: string) => sha256(key.replaceAll('-', ''));

/**
 * The claims as signed by an older server, without the newest ones: a program does not need those to check a token.
 */
export const claims: Omit<LicenseClaims, 'usable_until' | 'utc_offset' | 'updates_until'> = {
  iss: 'https://licencias.example.com',
  aud: AUDIENCE,
  sub: '42',
  iat: NOW,
  nbf: NOW,
  exp: NOW + 7 * DAY,
  jti: 'vector',
  nonce: NONCE,
  mid: sha256(MACHINE),
  key_hash: keyHash(KEY),
  call: 'heartbeat',
  seat: true,
  valid: true,
  reason: null,
  status: 'active',
  license_type: 'premium',
  features: { modulo_nomina: true, usuarios: 25, plan: 'Año nuevo' },
  seats: 5,
  license_expires: '2027-11-23T05:59:59.000Z',
  in_grace: false,
};

export const inBase64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const headerOf = (pair: Pair, changes: object = {}) => ({
  alg: 'ES256',
  kid: pair.kid,
  typ: TOKEN_TYPE,
  ...changes,
});

export function tokenOf(
  changes: object = {},
  { by = current, header = headerOf(by), der = false } = {},
): string {
  const content = `${inBase64Url(header)}.${inBase64Url({ ...claims, ...changes })}`;
  const dsaEncoding = der ? 'der' : 'ieee-p1363';
  const signature = sign('sha256', Buffer.from(content), { key: by.privateKey, dsaEncoding });
  return `${content}.${signature.toString('base64url')}`;
}

export const good = tokenOf();
export const [head, body, signature] = good.split('.') as [string, string, string];
export const hmacOf = (secret: string | Buffer) => {
  const content = `${inBase64Url(headerOf(current, { alg: 'HS256' }))}.${body}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
};
/** The token with a signature of these two halves, each 32 bytes long. */
export const withHalves = (r: bigint, s: bigint) => {
  const bytes = Buffer.from([r, s].map((half) => half.toString(16).padStart(64, '0')).join(''), 'hex');
  return `${head}.${body}.${bytes.toString('base64url')}`;
};
/** The order of P-256: r and s must be between 0 and it. */
export const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** A valid token whose signature bytes fulfil a condition. Libraries that need DER must convert each half. */
export function tokenWhoseSignature(has: (bytes: Buffer) => boolean): string {
  for (;;) {
    const token = tokenOf();
    if (has(Buffer.from(token.split('.')[2]!, 'base64url'))) return token;
  }
}
/** A token signed with the current key, whose header and content can be any text, not only JSON objects. */
export function tokenOfTexts(header: string, content: string): string {
  const parts = [header, content].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const bytes = sign('sha256', Buffer.from(parts), { key: current.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${parts}.${bytes.toString('base64url')}`;
}
const { x, y } = toPublicJwk(current.publicKey);
export const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
export const pem = current.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const { nonce: _none, ...withoutNonce } = claims;
export const fileToken = (changes: object = {}, typ: string = FILE_TYPE) => {
  const inFile = { ...withoutNonce, call: 'file', exp: NOW + 30 * DAY, ...changes };
  const content = `${inBase64Url(headerOf(current, { typ }))}.${inBase64Url(inFile)}`;
  const bytes = sign('sha256', Buffer.from(content), { key: current.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${bytes.toString('base64url')}`;
};
export const file = licenseFileText(fileToken());
export const tokenOfFile = (changes: object, typ?: string) => licenseFileText(fileToken(changes, typ));
export const suspended = {
  call: 'validate',
  valid: false,
  reason: 'suspended',
  status: 'suspended',
  exp: NOW + 300,
};
export const noSeat = { seat: false, exp: NOW + 300 };
export const notActivated = { ...noSeat, valid: false, reason: 'not_activated' };
export const unknownKey = {
  ...{ call: 'validate', seat: false },
  ...{ sub: null, valid: false, reason: 'not_found', status: null, license_type: null, features: null },
  ...{ seats: null, license_expires: null, in_grace: null, exp: NOW + 300 },
};

export type Vector = {
  name: string;
  /** How the program got the token: as the answer to its call, from its own store, or as a file. */
  kind: 'fresh' | 'stored' | 'file';
  /** The token; for `file` the text of the file. */
  input: string;
  /** The call and its nonce, for `fresh`. */
  call?: TokenCall;
  nonce?: string;
  /** The key that the person typed, if it differs from the file's key. */
  license_key?: string;
  /** The release day of the program's build. */
  released_on?: string;
  clock: number;
  mark: number | null;
  expect: object;
};

export const accepted = (mark: number, valid = true, reason: string | null = null) => ({
  accepted: true,
  valid,
  reason,
  mark,
});
export const refused = (error: string) => ({ accepted: false, error });
const at = { clock: NOW + DAY, mark: NOW };
export const stored = (name: string, input: string, expect: object, when: object = {}): Vector => ({
  name,
  kind: 'stored',
  input,
  ...at,
  ...when,
  expect,
});
export const fresh = (name: string, input: string, expect: object, when: object = {}): Vector => ({
  name,
  kind: 'fresh',
  input,
  call: 'heartbeat',
  nonce: NONCE,
  clock: NOW,
  mark: NOW,
  ...when,
  expect,
});
export const fromFile = (name: string, input: string, expect: object, when: object = {}): Vector => ({
  ...stored(name, input, expect, { mark: null, ...when }),
  kind: 'file',
});
