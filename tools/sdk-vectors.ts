import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenseFileText } from '../contract/programs/license-file.ts';
import { TOKEN_TYPE } from '../contract/programs/license-token.ts';
import { toPublicJwk } from '../server/features/programs/signing/signing-keys.ts';
import {
  AUDIENCE,
  accepted,
  body,
  claims,
  current,
  DAY,
  file,
  fileToken,
  fresh,
  fromFile,
  good,
  head,
  headerOf,
  hmacOf,
  inBase64Url,
  KEY,
  keyHash,
  later,
  MACHINE,
  NONCE,
  NOW,
  next,
  noSeat,
  notActivated,
  ORDER,
  OTHER_KEY,
  pem,
  point,
  refused,
  retired,
  sha256,
  signature,
  stored,
  stranger,
  suspended,
  tokenOf,
  tokenOfFile,
  tokenOfTexts,
  tokenWhoseSignature,
  unknownKey,
  type Vector,
  withHalves,
} from './sdk-vector-tokens.ts';

// node tools/sdk-vectors.ts: writes sdk/vectors.json, the cases that every SDK must accept or refuse as
// docs/offline.md describes. New keys are generated and their private halves discarded, so each run changes every
// token. sdk-vectors.test.ts checks the file with the reference program.

const updated = tokenOf({ updates_until: '2026-11-20' });
const updatedFile = tokenOfFile({ updates_until: '2026-11-20' });

const cases: Vector[] = [
  fresh('good, fresh', good, accepted(NOW)),
  fresh('good, fresh, whatever the clock of the computer', good, accepted(NOW), {
    clock: NOW + 3650 * DAY,
    mark: NOW + 3650 * DAY,
  }),
  fresh('fresh, with the nonce of another question', good, refused('nonce'), {
    nonce: 'otra-pregunta-del-programa',
  }),
  fresh('fresh, without a nonce', tokenOf({ nonce: undefined }), refused('nonce')),
  fresh('a signed refusal', tokenOf(suspended), accepted(NOW, false, 'suspended'), { call: 'validate' }),
  fresh('a signed refusal of an unknown key', tokenOf(unknownKey), accepted(NOW, false, 'not_found'), {
    call: 'validate',
  }),
  fresh('good, fresh, of an activation', tokenOf({ call: 'activate' }), accepted(NOW), { call: 'activate' }),
  fresh('good, fresh, of a validation', tokenOf({ call: 'validate' }), accepted(NOW), { call: 'validate' }),
  fresh('a release', tokenOf({ ...notActivated, call: 'release' }), accepted(NOW, false, 'not_activated'), {
    call: 'release',
  }),
  fresh(
    'a release that is answered by a validation',
    tokenOf({ ...notActivated, call: 'validate' }),
    refused('call'),
    {
      call: 'release',
    },
  ),
  fresh(
    'a release that is answered by a heartbeat',
    tokenOf({ ...notActivated, call: 'heartbeat' }),
    refused('call'),
    {
      call: 'release',
    },
  ),
  fresh('an activation that is answered by a validation', tokenOf({ call: 'validate' }), refused('call'), {
    call: 'activate',
  }),
  fresh('a heartbeat that is answered by a validation', tokenOf({ call: 'validate' }), refused('call')),
  fresh('a heartbeat that is answered by an activation', tokenOf({ call: 'activate' }), refused('call')),
  fresh('a validation that is answered by a heartbeat', good, refused('call'), { call: 'validate' }),
  fresh(
    'a validation that is answered by a release',
    tokenOf({ ...notActivated, call: 'release' }),
    refused('call'),
    {
      call: 'validate',
    },
  ),
  fresh('fresh, with call file', tokenOf({ call: 'file' }), refused('call')),
  fresh('fresh, without a call', tokenOf({ call: undefined }), refused('call')),
  fresh('fresh, with call as a list', tokenOf({ call: ['heartbeat'] }), refused('call')),
  fresh('fresh, with call in capitals', tokenOf({ call: 'HEARTBEAT' }), refused('call')),
  fresh('fresh, of another key', tokenOf({ key_hash: keyHash(OTHER_KEY) }), refused('key_hash')),
  fresh('fresh, without a key_hash', tokenOf({ key_hash: undefined }), refused('key_hash')),
  fresh('fresh, with key_hash null', tokenOf({ key_hash: null }), refused('key_hash')),
  fresh(
    'fresh, with key_hash in capitals',
    tokenOf({ key_hash: keyHash(KEY).toUpperCase() }),
    refused('key_hash'),
  ),
  fresh('fresh, with the key in place of key_hash', tokenOf({ key_hash: KEY }), refused('key_hash')),
  fresh(
    'a refusal of another key',
    tokenOf({ ...unknownKey, key_hash: keyHash(OTHER_KEY) }),
    refused('key_hash'),
    { call: 'validate' },
  ),
  fresh(
    'a refusal without a key_hash',
    tokenOf({ ...unknownKey, key_hash: undefined }),
    refused('key_hash'),
    { call: 'validate' },
  ),
  fresh(
    'a release of another key',
    tokenOf({ ...notActivated, call: 'release', key_hash: keyHash(OTHER_KEY) }),
    refused('key_hash'),
    { call: 'release' },
  ),
  fresh('fresh, valid without a seat', tokenOf(noSeat), refused('seat')),
  fresh('a validation, valid without a seat', tokenOf({ ...noSeat, call: 'validate' }), refused('seat'), {
    call: 'validate',
  }),
  fresh('fresh, valid without the claim seat', tokenOf({ seat: undefined }), refused('seat')),
  fresh('fresh, valid with seat as a text', tokenOf({ seat: 'true' }), refused('seat')),
  fresh('fresh, valid with seat as a number', tokenOf({ seat: 1 }), refused('seat')),
  fresh(
    'a refusal needs no seat',
    tokenOf({ ...suspended, seat: false }),
    accepted(NOW, false, 'suspended'),
    {
      call: 'validate',
    },
  ),
  fresh('the token of a licence file as an answer', fileToken({ nonce: NONCE }), refused('type')),
  fresh('fresh, the key typed in small letters with blanks', good, accepted(NOW), {
    license_key: ' demaa 22222\t33333 44444 55555 ',
  }),
  fresh('fresh, the key typed without hyphens', good, accepted(NOW), {
    license_key: KEY.replaceAll('-', ''),
  }),
  fresh('fresh, the key typed with dashes, hard blanks and invisible signs', good, accepted(NOW), {
    license_key: 'DEMAA\u201322222\u00a033333\u2011\u200b44444\u00ad\u221255555\ufeff',
  }),
  fresh('fresh, a key of another program', tokenOf({ key_hash: sha256('OLD_100/Z.1') }), accepted(NOW), {
    license_key: 'old_100/z-.1',
  }),
  fresh(
    'fresh, a key that differs by its punctuation',
    tokenOf({ key_hash: sha256('OLD_100') }),
    refused('key_hash'),
    {
      license_key: 'OLD100',
    },
  ),
  stored('good, stored', good, accepted(NOW + DAY)),
  stored('good, stored, at its last second', good, accepted(NOW + 7 * DAY - 1), { clock: NOW + 7 * DAY - 1 }),
  stored('an activation, stored', tokenOf({ call: 'activate' }), accepted(NOW + DAY)),
  stored('a valid validation, stored', tokenOf({ call: 'validate' }), refused('call')),
  stored('a release, stored', tokenOf({ ...notActivated, call: 'release' }), refused('call')),
  stored('stored, with call file', tokenOf({ call: 'file' }), refused('call')),
  stored('stored, without a call', tokenOf({ call: undefined }), refused('call')),
  stored('stored, valid without a seat', tokenOf({ seat: false }), refused('seat')),
  stored('stored, of another key', tokenOf({ key_hash: keyHash(OTHER_KEY) }), refused('key_hash')),
  stored('stored, without a key_hash', tokenOf({ key_hash: undefined }), refused('key_hash')),
  stored('stored, of a key that was replaced', good, refused('key_hash'), { license_key: OTHER_KEY }),
  stored('the token of a licence file, stored', fileToken(), refused('type')),
  stored('a refusal, stored', tokenOf(suspended), accepted(NOW + 60, false, 'suspended'), {
    clock: NOW + 60,
  }),
  stored('expired', good, refused('expired'), { clock: NOW + 7 * DAY }),
  stored('expired, with the clock set back by less than a day', good, refused('expired'), {
    clock: NOW + 7 * DAY - 3600,
    mark: NOW + 7 * DAY + 60,
  }),
  stored('clock set back by a day', good, accepted(NOW + 3 * DAY), {
    clock: NOW + 2 * DAY,
    mark: NOW + 3 * DAY,
  }),
  stored('clock set back by more than a day', good, refused('clock_back'), {
    clock: NOW + 2 * DAY - 1,
    mark: NOW + 3 * DAY,
  }),
  stored('future iat', tokenOf({ iat: NOW + 301, nbf: NOW + 301 }), refused('future'), { clock: NOW }),
  stored('iat five minutes ahead', tokenOf({ iat: NOW + 300, nbf: NOW + 300 }), accepted(NOW), {
    clock: NOW,
  }),
  stored(
    'tampered claims',
    `${head}.${inBase64Url({ ...claims, seats: 500 })}.${signature}`,
    refused('signature'),
  ),
  stored(
    'tampered end',
    `${head}.${inBase64Url({ ...claims, exp: NOW + 999 * DAY })}.${signature}`,
    refused('signature'),
  ),
  stored('tampered signature', `${head}.${body}.${signature.slice(0, -4)}AAAA`, refused('signature')),
  stored(
    'signature of another token',
    `${head}.${body}.${tokenOf({ jti: 'otro' }).split('.')[2]}`,
    refused('signature'),
  ),
  stored(
    'signature of zeros',
    `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    refused('signature'),
  ),
  stored('signature with r of zero', withHalves(0n, 1n), refused('signature')),
  stored('signature with s of zero', withHalves(1n, 0n), refused('signature')),
  stored('signature of ones', withHalves(1n, 1n), refused('signature')),
  stored('signature with r of the order', withHalves(ORDER, 1n), refused('signature')),
  stored('signature with s of the order', withHalves(1n, ORDER), refused('signature')),
  stored(
    'signature whose r begins with a zero byte',
    tokenWhoseSignature((bytes) => bytes[0] === 0),
    accepted(NOW + DAY),
  ),
  stored(
    'signature whose s begins with a zero byte',
    tokenWhoseSignature((bytes) => bytes[32] === 0),
    accepted(NOW + DAY),
  ),
  stored(
    'signature whose halves begin with a one bit',
    tokenWhoseSignature((bytes) => bytes[0]! > 127 && bytes[32]! > 127),
    accepted(NOW + DAY),
  ),
  stored('signature of 65 bytes', `${good}AA`, refused('signature')),
  stored('signature with padding', `${good}==`, refused('signature')),
  stored('signature with a line end', `${good}\n`, refused('signature')),
  stored('empty signature', `${head}.${body}.`, refused('signature')),
  stored('signature in DER', tokenOf({}, { der: true }), refused('signature')),
  stored('wrong aud', tokenOf({ aud: 'nomina' }), refused('audience')),
  stored('aud null', tokenOf({ aud: null }), refused('audience')),
  stored('aud as a list', tokenOf({ aud: [AUDIENCE] }), refused('audience')),
  stored('machine in capitals', tokenOf({ mid: claims.mid.toUpperCase() }), refused('machine')),
  stored(
    'wrong machine',
    tokenOf({ mid: createHash('sha256').update('caja-02').digest('hex') }),
    refused('machine'),
  ),
  stored('wrong typ', tokenOf({}, { header: headerOf(current, { typ: 'JWT' }) }), refused('type')),
  stored('wrong alg', tokenOf({}, { header: headerOf(current, { alg: 'ES384' }) }), refused('algorithm')),
  stored(
    'alg in small letters',
    tokenOf({}, { header: headerOf(current, { alg: 'es256' }) }),
    refused('algorithm'),
  ),
  stored(
    'alg as a list',
    tokenOf({}, { header: headerOf(current, { alg: ['ES256'] }) }),
    refused('algorithm'),
  ),
  stored('a header without anything', tokenOfTexts('{}', JSON.stringify(claims)), refused('algorithm')),
  stored('a header that is a list', tokenOfTexts('[]', JSON.stringify(claims)), refused('malformed')),
  stored('a header that is null', tokenOfTexts('null', JSON.stringify(claims)), refused('malformed')),
  stored(
    'claims that are a list',
    tokenOfTexts(JSON.stringify(headerOf(current)), '[]'),
    refused('malformed'),
  ),
  stored('alg none', `${inBase64Url(headerOf(current, { alg: 'none' }))}.${body}.`, refused('algorithm')),
  stored('alg HS256 with the public key as PEM', hmacOf(pem), refused('algorithm')),
  stored(
    'alg HS256 with the public key as JWK',
    hmacOf(JSON.stringify(toPublicJwk(current.publicKey))),
    refused('algorithm'),
  ),
  stored('alg HS256 with the bytes of the public key', hmacOf(point), refused('algorithm')),
  stored(
    'alg HS256 with the point of the public key',
    hmacOf(Buffer.concat([Buffer.from([4]), point])),
    refused('algorithm'),
  ),
  stored('unknown kid', tokenOf({}, { by: stranger }), refused('unknown_key')),
  stored(
    'without a kid',
    tokenOf({}, { header: headerOf(current, { kid: undefined }) }),
    refused('unknown_key'),
  ),
  stored(
    'kid as a list',
    tokenOf({}, { header: headerOf(current, { kid: [current.kid] }) }),
    refused('unknown_key'),
  ),
  stored('kid as a number', tokenOf({}, { header: headerOf(current, { kid: 0 }) }), refused('unknown_key')),
  stored(
    'signed by a stranger under a known kid',
    tokenOf({}, { by: stranger, header: headerOf(current) }),
    refused('signature'),
  ),
  stored(
    'signed by a stranger whose key stands in the header',
    tokenOf({}, { by: stranger, header: headerOf(current, { jwk: toPublicJwk(stranger.publicKey) }) }),
    refused('signature'),
  ),
  stored('rotated key: signed by the next one', tokenOf({}, { by: next }), accepted(NOW + DAY)),
  stored('rotated key: signed by one that came later', tokenOf({}, { by: later }), refused('unknown_key')),
  stored('rotated key: signed by one that was retired', tokenOf({}, { by: retired }), refused('unknown_key')),
  stored(
    'kid of one key, signature of another',
    tokenOf({}, { by: next, header: headerOf(current) }),
    refused('signature'),
  ),
  stored('cut off', good.slice(0, -40), refused('signature')),
  stored('four parts', `${good}.${signature}`, refused('malformed')),
  stored('two parts', `${head}.${body}`, refused('malformed')),
  stored('empty', '', refused('malformed')),
  stored('no token', 'hola', refused('malformed')),
  fresh('fresh, a build of the last day of updates', updated, accepted(NOW), { released_on: '2026-11-20' }),
  fresh('fresh, a build of the day after', updated, accepted(NOW, false, 'updates_ended'), {
    released_on: '2026-11-21',
  }),
  fresh('fresh, a program that does not say its build', updated, accepted(NOW)),
  fresh('fresh, any build where all updates are included', tokenOf({ updates_until: null }), accepted(NOW), {
    released_on: '2099-01-01',
  }),
  fresh('fresh, any build where the server does not say it', good, accepted(NOW), {
    released_on: '2099-01-01',
  }),
  fresh(
    'a suspended licence and a later build',
    tokenOf({ ...suspended, updates_until: '2026-11-20' }),
    accepted(NOW, false, 'suspended'),
    { call: 'validate', released_on: '2026-11-21' },
  ),
  stored('stored, a build of the last day of updates', updated, accepted(NOW + DAY), {
    released_on: '2026-11-20',
  }),
  stored('stored, a build of the day after', updated, accepted(NOW + DAY, false, 'updates_ended'), {
    released_on: '2026-11-21',
  }),
  fromFile('file, a build after the updates', updatedFile, accepted(NOW + DAY, false, 'updates_ended'), {
    released_on: '2026-11-21',
  }),
  fromFile('file, a build within the updates', updatedFile, accepted(NOW + DAY), {
    released_on: '2025-01-01',
  }),
  fromFile('good file', file, accepted(NOW + DAY)),
  fromFile('good file with the line ends of Windows', file.replaceAll('\n', '\r\n'), accepted(NOW + DAY)),
  fromFile('good file after a byte order mark', `\ufeff${file}`, accepted(NOW + DAY)),
  fromFile('good file with the line ends of old computers', file.replaceAll('\n', '\r'), accepted(NOW + DAY)),
  fromFile(
    'good file with blank lines and blanks',
    `\n\n  ${file.replaceAll('\n', ' \r\n\r\n\t')}\n`,
    accepted(NOW + DAY),
  ),
  fromFile(
    'good file within the text of a mail',
    `Hola:\r\n\r\nAdjunto la licencia de la caja 2.\r\n\r\n${file.replaceAll('\n', '\r\n')}\r\n--\r\nVentas, -----Caja Fácil-----\r\n`,
    accepted(NOW + DAY),
  ),
  fromFile('file, expired', file, refused('expired'), { clock: NOW + 30 * DAY }),
  fromFile('file, on a computer whose clock is behind', file, refused('future'), { clock: NOW - DAY }),
  fromFile('file of another key', tokenOfFile({ key_hash: keyHash(OTHER_KEY) }), refused('key_hash')),
  fromFile('file without a key_hash', tokenOfFile({ key_hash: undefined }), refused('key_hash')),
  fromFile('file of a key that was replaced', file, refused('key_hash'), { license_key: OTHER_KEY }),
  fromFile('file without a seat', tokenOfFile({ seat: false }), refused('seat')),
  fromFile('file, signed as a heartbeat', tokenOfFile({ call: 'heartbeat' }), refused('call')),
  fromFile('file, with the typ of a token', tokenOfFile({}, TOKEN_TYPE), refused('type')),
  fromFile('file, made of a token', licenseFileText(good), refused('type')),
  fromFile('file with a changed letter', file.replace('\ney', '\neZ'), refused('malformed')),
  fromFile('file without its end', file.replace('-----END LICENSE FILE-----', ''), refused('malformed')),
  fromFile(
    'file whose end stands before its beginning',
    file.trim().split('\n').reverse().join('\n'),
    refused('malformed'),
  ),
];

const content = {
  about: 'Cases for every SDK. docs/offline.md says what they mean; times are seconds since 1970.',
  audience: AUDIENCE,
  machine_id: MACHINE,
  license_key: KEY,
  keys: [toPublicJwk(current.publicKey), toPublicJwk(next.publicKey)],
  cases,
};

writeFileSync(
  join(import.meta.dirname, '..', 'sdk', 'vectors.json'),
  `${JSON.stringify(content, null, 2)}\n`,
);
