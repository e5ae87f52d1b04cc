// SPDX-License-Identifier: MIT
// Asks a License Manager server whether a licence holds on this computer, and answers without connection from what it
// kept. ../README.md describes it, ../../docs/offline.md the token. One file without dependencies: copy it.
// It runs in Node from 18 on, in Electron and in browsers.

export const VERSION = '0.4.0';
const USER_AGENT = `license-manager-javascript/${VERSION}`;
const MINUTE = 60;
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const AHEAD_SECONDS = 5 * 60;
/** What a start counts whose clock is not later than at the last check. */
const START_SECONDS = 10 * 60;
const ANSWER_BYTES = 64 * 1024;
const FILE_BYTES = 64 * 1024;
const STORE_BYTES = 1024 * 1024;
/** The most milliseconds that a timer of JavaScript counts. */
const TIMER_MAX = 2 ** 31 - 1;
/** The records of one call, and the calls that one check makes for them. */
const RECORDS_MAX = 100;
const SENDINGS_MAX = 20;
const USAGE_BYTES = 4 * 1024 * 1024;
const AMOUNT_MAX = 1e9;
const BEGIN = '-----BEGIN LICENSE FILE-----';
const END = '-----END LICENSE FILE-----';
const PATHS = {
  validate: '/licenses/api/license/validate/',
  activate: '/licenses/api/installations/',
  heartbeat: '/licenses/api/installation/heartbeat/',
  release: '/licenses/api/installations/release/',
  portal: '/licenses/api/portal/ticket/',
  usage: '/licenses/api/usage/',
  trial: '/licenses/api/trial/',
};
/** An address that a program may open: it ends in a browser, perhaps through a shell. */
const PORTAL_ADDRESS =
  /^(https?):\/\/([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?\/[A-Za-z0-9/._~?#=-]{1,500}$/;
/** In place of a key's hash: a file of any key is good. */
const ANY_KEY = Symbol('any key');
/** What a file's failed step is called; every other is damage. */
const FILE_PROBLEMS = {
  ...{ unknown_key: 'wrong_key', audience: 'file_other_software', machine: 'file_other_machine' },
  key_hash: 'file_other_key',
};
/** The failed steps of an answer that say that the program's keys are not those of the server. */
const KEY_ERRORS = ['unknown_key', 'signature'];
const NETWORK_REASONS = ['no_connection', 'unverified'];
const REASONS_OFFLINE = { expired: 'offline_expired', clock_back: 'clock_back', future: 'future' };

// Modules of Node are loaded only where there is Node, and only once they are needed: without an await at the top this
// file can be required too. Bundlers leave the import alone, and a single executable has only the first way.
const isNode = typeof process === 'object' && Boolean(process.versions?.node);
const load = async (name) =>
  process.getBuiltinModule?.(`node:${name}`) ??
  import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
let node = null;
let { crypto } = globalThis;
let loading = null;

const MODULES = ['fs', 'os', 'path', 'child_process', 'crypto'];

function takeNode([files, os, path, child, keys]) {
  // Node 18 has WebCrypto, but not under its global name.
  crypto ??= keys.webcrypto;
  node = { files, fs: files.promises, os, path, child, keys };
}

const loadNode = async () => takeNode(await Promise.all(MODULES.map(load)));

/** Loads them at once, where the Node is new enough: `remaining` waits for nothing. */
function loadNow() {
  if (isNode && !node && process.getBuiltinModule)
    takeNode(MODULES.map((name) => process.getBuiltinModule(`node:${name}`)));
}

/** Every function that is called from outside waits for this first. */
function ready() {
  if (isNode && !node) loading ??= loadNode();
  return loading;
}

const inUtf8 = (text) => new TextEncoder().encode(text);
const inHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const random = () => crypto.getRandomValues(new Uint8Array(16));
const sha256 = async (text) => inHex(new Uint8Array(await crypto.subtle.digest('SHA-256', inUtf8(text))));
/** What of a key counts, however it is typed. */
const countedOf = (key) => key.replace(/[^!-~]|-/g, '').toUpperCase();
/** Whether a key has the length of those made by the server, and a sign that they never have. */
const hasWrongSigns = (key) => /^(?=.*[0O1I])[A-Z0-9]{25}$/.test(countedOf(key));
const keyHashOf = (key) => sha256(countedOf(key));
const inBase64Url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTime = (value) => Number.isSafeInteger(value) && value >= 0;
const isDay = (value) => /^\d{4}-\d{2}-\d{2}$/.test(textOf(value));
const textOf = (value) => (typeof value === 'string' ? value : '');

/** The bytes of a base64url text; null for another text. */
function bytesOf(text) {
  if (!/^[A-Za-z0-9_-]+$/.test(text ?? '') || text.length % 4 === 1) return null;
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
}

/** The JSON object in a text; null for anything else. */
function objectOf(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const partOf = (part) => {
  const bytes = bytesOf(part);
  return bytes && objectOf(new TextDecoder().decode(bytes));
};

/** The token in the text of a licence file, whatever stands around it; an empty text where there is none. */
function tokenOfFile(text) {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END, begin);
  return begin < 0 || end < 0 ? '' : text.slice(begin + BEGIN.length, end).replace(/\s/g, '');
}

/** The text in the bytes of a file: UTF-8, or UTF-16 with a byte order mark, which no text begins with. */
function textIn(bytes) {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const coding = isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  return new TextDecoder(coding).decode(bytes);
}

/** A text cut by characters: no half of one remains. */
const cut = (text, most) => Array.from(text).slice(0, most).join('');

/** Whether a program may open this address: by http only on this computer, or at the host that it asked by http itself. */
function isOfPortal(url, asked) {
  const [, scheme, host] = PORTAL_ADDRESS.exec(url) ?? [];
  const [, askedBy, askedHost] = PORTAL_ADDRESS.exec(asked) ?? [];
  if (scheme !== 'http') return scheme === 'https';
  const isAskedHost = askedBy === 'http' && host.toLowerCase() === askedHost.toLowerCase();
  return isAskedHost || ['localhost', '127.0.0.1', '[::1]'].includes(host);
}

function isAddress(text) {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

// The curve P-256: y² = x³ - 3x + B modulo P.
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Whether a key of the options is a point of the curve. Another one would refuse every answer later. */
function isPublicKey(key) {
  const [x, y] = [bytesOf(textOf(key?.x)), bytesOf(textOf(key?.y))];
  if (!key?.kid || x?.length !== 32 || y?.length !== 32) return false;
  const [a, b] = [BigInt(`0x${inHex(x)}`), BigInt(`0x${inHex(y)}`)];
  return a < P && b < P && (b * b - (a * a * a - 3n * a + B)) % P === 0n;
}

async function isSigned({ content, signature, key: { x, y } }) {
  try {
    const curve = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, curve, false, [
      'verify',
    ]);
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, inUtf8(content));
  } catch {
    return false;
  }
}

/** The same at once, where there is Node. */
function isSignedNow({ content, signature, key: { x, y } }) {
  try {
    const key = node.keys.createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return node.keys.verify('sha256', inUtf8(content), { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}

/** Whether a token may stand where it does: as the answer to a call, in a file, or as the last word that was kept. */
function isAnswerTo(role, { call, valid }) {
  if (role !== 'stored') return call === role;
  return call === 'activate' || call === 'heartbeat' || (call === 'validate' && valid !== true);
}

/** A valid token refuses a build that came out after the last day of updates; older ones it lets run. */
function forBuild(claims, releasedOn) {
  const isLater =
    Boolean(releasedOn) && textOf(claims.updates_until) !== '' && releasedOn > claims.updates_until;
  return claims.valid === true && isLater ? { ...claims, valid: false, reason: 'updates_ended' } : claims;
}

/** Whether claims are the server's own refusal of a build; those of `forBuild` are valid for an older one. */
const refusesBuild = (claims) => claims?.valid !== true && claims?.reason === 'updates_ended';

/** Whether such a refusal was for a newer build than this one. */
const isForNewer = (claims, releasedOn) =>
  refusesBuild(claims) && isDay(claims.updates_until) && !(releasedOn && releasedOn > claims.updates_until);

/** Steps 1 to 4 of docs/offline.md: what is signed, by which key and how. */
function openToken(token, role, keys) {
  const [head, body, sign, ...more] = token.split('.');
  const header = partOf(head);
  if (sign === undefined || more.length > 0 || !header) return { error: 'malformed' };
  // The program decides the algorithm. A header that may choose it allows none, and HS256 with the public key.
  if (header.alg !== 'ES256') return { error: 'algorithm' };
  if (header.typ !== (role === 'file' ? 'license-file+jwt' : 'license+jwt')) return { error: 'type' };
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) return { error: 'unknown_key' };
  const signature = bytesOf(sign);
  if (signature?.length !== 64) return { error: 'signature' };
  return { content: `${head}.${body}`, signature, key, body };
}

/** Steps 6 to 11, of a token whose signature is good. */
function claimsIn({ body }, role, mid, { software, keyHash, releasedOn }) {
  const claims = partOf(body);
  if (!claims) return { error: 'malformed' };
  if (claims.aud !== software) return { error: 'audience' };
  if (claims.mid !== mid) return { error: 'machine' };
  // Without these a relay answers with the server's own words about another key, or about another call.
  if (keyHash !== ANY_KEY && claims.key_hash !== keyHash) return { error: 'key_hash' };
  if (!isAnswerTo(role, claims)) return { error: 'call' };
  if (claims.valid === true && claims.seat !== true) return { error: 'seat' };
  return { claims: forBuild(claims, releasedOn) };
}

/**
 * Steps 1 to 11, for every token. The role is the call that was made, 'stored' or 'file'. Returns { claims } or { error }.
 */
async function readToken(token, role, program) {
  const opened = openToken(token, role, program.keys);
  if (opened.error) return opened;
  if (!(await isSigned(opened))) return { error: 'signature' };
  return claimsIn(opened, role, await sha256(program.machineId), program);
}

/** The same at once, where there is Node. */
function readTokenNow(token, role, program) {
  const opened = openToken(token, role, program.keys);
  if (opened.error) return opened;
  if (!isSignedNow(opened)) return { error: 'signature' };
  const mid = node.keys.createHash('sha256').update(program.machineId).digest('hex');
  return claimsIn(opened, role, mid, program);
}

/** How far a clock or a counter is beyond another number; 0 where it is not. */
const beyond = (value, other) => Math.max(0, value - (other ?? value));

/**
 * What the program knows of the time (docs/offline.md, The clock). `least` is the mark with the time that was measured
 * since, null where there is no mark; `back` are the seconds that the clock was set back.
 */
function timeOf(store, mark, { clock, run, ticks }) {
  const isMeasured = store.run === run && store.ticks !== null && ticks >= store.ticks;
  const standsStill = !isMeasured && store.clock !== null && clock <= store.clock;
  const passed = isMeasured ? ticks - store.ticks : standsStill ? START_SECONDS : 0;
  const back = store.back + beyond(store.clock ?? clock, clock);
  return { clock, least: mark === null ? null : mark + passed, back, leap: store.leap };
}

/** The rules of the clock that bite, as [code, message] for the log. */
function bitesOf(store, time, byFile) {
  const bites = [];
  const stepBack = beyond(store.clock ?? time.clock, time.clock);
  if (stepBack > 0) {
    bites.push(['clock_back', `The clock was set back by ${stepBack} s; ${time.back} s of ${DAY} s in all.`]);
  } else if (store.clock !== null && time.least !== null) {
    const missed = time.least - (store.mark ?? time.least) - (time.clock - store.clock);
    if (missed > MINUTE) bites.push(['clock_still', `The clock counted ${missed} s less than passed.`]);
  }
  if (byFile !== time) bites.push(['clock_file', 'A newer licence file set the time anew.']);
  return bites;
}

/**
 * The same without the leaps of the clock, where a file needs that and was issued after every token that decided
 * before. No time comes back that was lived through: the mark without its leaps stays.
 */
function timeByFile(file, { issued }, time) {
  if (!file || file.iat <= (issued ?? -1) || !judgeTime(file, time).error) return time;
  const least = Math.max(file.iat, (time.least ?? file.iat) - time.leap);
  const anew = { clock: time.clock, least, back: 0, leap: 0 };
  return judgeTime(file, anew).error ? time : anew;
}

/** What is kept of the time after a check. `best` is what decided, null where nothing passed. */
function timeAfter({ issued }, { least, back, leap }, now, best, first) {
  const ahead = now - (least ?? first.iat);
  const isNewer = best !== null && best.iat > (issued ?? -1);
  return {
    mark: now,
    back: isNewer ? 0 : back,
    leap: leap + (ahead > DAY ? ahead : 0),
    issued: isNewer ? best.iat : issued,
  };
}

/** Steps 12 to 14, for a token that was kept or stands in a file. Returns { now } or { error }, perhaps with both. */
function judgeTime({ iat, exp }, { clock, least, back }) {
  if (back > DAY || clock < (least ?? clock) - DAY) return { error: 'clock_back' };
  const now = Math.max(clock, least ?? clock);
  if (iat > now + AHEAD_SECONDS) return { error: 'future' };
  return now >= exp ? { error: 'expired', now } : { now };
}

/** Judges one token as docs/offline.md says. The tests use it; a program uses License. */
export async function judge(kind, input, { call, nonce, clock, mark, licenseKey, ...judged }) {
  await ready();
  const program = { ...judged, keyHash: await keyHashOf(licenseKey) };
  const token = kind === 'file' ? tokenOfFile(input) : input;
  const { claims, error } = await readToken(token, kind === 'fresh' ? call : kind, program);
  if (error) return { accepted: false, error };
  const { valid, reason } = claims;
  if (kind === 'fresh') {
    if (claims.nonce !== nonce) return { accepted: false, error: 'nonce' };
    return { accepted: true, valid: valid === true, reason, mark: claims.iat };
  }
  const time = judgeTime(claims, { clock, least: mark, back: 0 });
  if (time.error) return { accepted: false, error: time.error };
  return { accepted: true, valid: valid === true, reason, mark: time.now };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970, of an instant as it stands in a token; null for anything else. */
const instantOf = (value) => {
  const instant = INSTANT.test(textOf(value)) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
};
const dateOf = (milliseconds) => (milliseconds === null ? null : new Date(milliseconds));

/** Whole days of the vendor's calendar until the licence ends, as the console counts them. */
function daysUntil(end, now, offset) {
  if (end === null) return null;
  const seconds = Math.floor(end / 1000);
  if (!Number.isSafeInteger(offset)) return Math.max(0, Math.floor((seconds - now) / DAY));
  return Math.max(0, Math.floor((seconds + offset) / DAY) - Math.floor((now + offset) / DAY));
}

/** What a verdict says of the licence. `now` is the mark after the check; without a verdict the claims are empty. */
function termsOf(claims, now) {
  const isValid = claims.valid === true;
  const end = instantOf(claims.license_expires);
  const inGrace = isValid && end !== null && (claims.in_grace === true || now * 1000 > end);
  const half = isValid ? Math.floor((claims.exp - claims.iat) / 2) : 0;
  return {
    expiresAt: dateOf(end),
    inGrace,
    graceUntil: inGrace ? dateOf(instantOf(claims.usable_until)) : null,
    offlineUntil: isValid ? new Date(claims.exp * 1000) : null,
    type: textOf(claims.license_type) || null,
    status: textOf(claims.status) || null,
    nextCheck: half > 0 ? Math.min(HOUR, half) : HOUR,
    pending: false,
    updatesUntil: textOf(claims.updates_until) || null,
    seatFreeAt: null,
  };
}

/** What is said of a token that has ended: where the licence itself has ended too, that. */
function endedOf(error, claims, now) {
  const end = instantOf(claims.usable_until) ?? instantOf(claims.license_expires);
  const isOver = error === 'expired' && end !== null && end <= now * 1000;
  return isOver
    ? refusal('expired', true, { ...claims, valid: false })
    : refusal(REASONS_OFFLINE[error], true);
}

/** The refusal of a floating licence without a free seat: when one is free, and to ask again then, at least each minute. */
function waitingForSeat(result, { claims, seatFreeAt }) {
  if (result.reason !== 'installation_limit' || seatFreeAt === null) return result;
  // By the server's clock: that of the computer may be wrong.
  const seconds = Math.ceil(seatFreeAt / 1000) - claims.iat;
  return { ...result, seatFreeAt: dateOf(seatFreeAt), nextCheck: Math.min(MINUTE, Math.max(1, seconds)) };
}

const refusal = (reason, offline, claims = {}) => ({
  ...{ ok: false, reason, offline, daysLeft: 0, features: {} },
  ...termsOf(claims, 0),
});

/** What the program is told of a verdict. `now` is the mark after the check. */
function resultOf(claims, now, offline) {
  const { valid, reason, features, license_expires, utc_offset } = claims;
  if (valid !== true) return refusal(reason, offline, claims);
  const daysLeft = daysUntil(instantOf(license_expires), now, utc_offset);
  const granted = isObject(features) ? features : {};
  return { ok: true, reason: null, offline, daysLeft, features: granted, ...termsOf(claims, now) };
}

/** The texts of ../messages.json. */
const MESSAGES = {
  es: {
    not_found: 'La licencia no existe. Hay que revisar la clave, o pedirla de nuevo al proveedor.',
    wrong_software:
      'La clave es de otro programa. Hay que escribir la clave de este, o pedirla al proveedor.',
    inactive: 'La licencia no está activa. Para activarla hay que comunicarse con el proveedor.',
    suspended: 'La licencia está suspendida. Para usarla de nuevo hay que comunicarse con el proveedor.',
    cancelled:
      'La licencia está cancelada. Para seguir con el programa hay que comunicarse con el proveedor.',
    expired: 'La licencia venció. Para seguir con el programa hay que renovarla con el proveedor.',
    expired_offline:
      'La licencia venció. Hay que renovarla con el proveedor; si ya se renovó, basta conectar el equipo a internet una vez.',
    updates_ended:
      'La licencia no incluye esta versión del programa. Hay que instalar una versión anterior, o renovar las actualizaciones con el proveedor.',
    installation_limit:
      'La licencia ya se usa en todos los equipos que permite. Hay que liberar un lugar en otro equipo, o pedir más lugares al proveedor.',
    not_activated:
      'Este equipo no tiene lugar en la licencia. Hay que abrir el programa con conexión a internet, o comunicarse con el proveedor.',
    no_connection:
      'No hay conexión con el servidor de licencias. Hay que conectar el equipo a internet e intentar de nuevo.',
    unverified:
      'La respuesta no viene del servidor de licencias. Hay que revisar la red de este equipo, o comunicarse con el proveedor.',
    offline_expired:
      'Terminó el tiempo para trabajar sin conexión. Hay que conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.',
    offline_expired_because: 'Terminó el tiempo para trabajar sin conexión.',
    clock_back:
      'El reloj de este equipo no es correcto. Hay que corregir la fecha y la hora, conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.',
    future:
      'La fecha de este equipo es anterior a la de la licencia. Hay que corregir la fecha y la hora del equipo.',
    unknown: 'La licencia no permite usar el programa ({reason}). Hay que comunicarse con el proveedor.',
    detail_dns:
      'No se encuentra la dirección del servidor de licencias. Hay que revisar la conexión a internet de este equipo y su servidor DNS.',
    detail_tls:
      'No se pudo abrir una conexión segura con el servidor de licencias. Hay que revisar la fecha y la hora de este equipo, y si un antivirus o un proxy vigila la conexión; si todo está bien, avisar al proveedor.',
    detail_proxy:
      'El proxy de la red no deja llegar al servidor de licencias. Hay que revisar la configuración del proxy, o pedir ayuda a quien administra la red.',
    detail_timeout:
      'El servidor de licencias no respondió a tiempo. Hay que intentar de nuevo en unos minutos, y revisar la conexión a internet si se repite.',
    detail_unreachable:
      'No hay conexión con el servidor de licencias. Hay que revisar la conexión a internet y el cortafuegos de este equipo.',
    detail_rate_limited:
      'El servidor de licencias recibió demasiadas preguntas. Hay que esperar un minuto e intentar de nuevo.',
    detail_server_error:
      'El servidor de licencias tiene una falla o está en mantenimiento. Hay que intentar de nuevo en unos minutos, y avisar al proveedor si se repite.',
    detail_not_the_server:
      'La respuesta no viene del servidor de licencias. Hay que iniciar sesión en la red si lo pide, y revisar el proxy o el antivirus de este equipo.',
    detail_wrong_key:
      'El programa no reconoce la firma del servidor de licencias. Hay que instalar la última versión del programa, o avisar al proveedor.',
    detail_key_signs:
      'La clave no existe. Las claves no llevan los signos 0, O, 1 ni I: hay que compararla letra por letra con la del correo.',
    detail_file_missing:
      'No se encuentra el archivo de licencia. Hay que copiarlo a su lugar, o pedirlo al proveedor.',
    detail_file_unreadable:
      'El archivo de licencia no se puede leer. Hay que revisar los permisos del archivo y de su carpeta.',
    detail_file_damaged:
      'El archivo de licencia está dañado o incompleto. Hay que copiarlo otra vez, o pedirlo de nuevo al proveedor.',
    detail_file_other_machine:
      'El archivo de licencia es de otro equipo. Hay que pedir al proveedor uno para este equipo.',
    detail_file_other_software:
      'El archivo de licencia es de otro programa. Hay que pedir al proveedor el de este programa.',
    detail_file_other_key:
      'El archivo de licencia es de otra clave. Hay que escribir la clave del archivo, o pedir al proveedor uno para esta clave.',
    store_denied:
      'El programa no tiene permiso para guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar los permisos de su carpeta de datos.',
    store_full:
      'El disco está lleno: el programa no puede guardar la licencia, y sin eso no funciona sin conexión. Hay que liberar espacio.',
    store_failed:
      'El programa no puede guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar su carpeta de datos.',
    offline_ends:
      'El programa trabaja sin conexión y dejará de funcionar en {hours} h. Antes hay que conectar el equipo a internet, o pedir al proveedor un archivo de licencia nuevo.',
    offline_ends_because: 'El programa trabaja sin conexión y dejará de funcionar en {hours} h.',
    grace: 'La licencia venció y el programa dejará de funcionar pronto. Hay que renovarla con el proveedor.',
    grace_days:
      'La licencia venció y el programa dejará de funcionar en {days} días. Hay que renovarla con el proveedor.',
  },
  en: {
    not_found: 'The licence does not exist. Check the key, or ask the vendor for it again.',
    wrong_software: 'The key is for another program. Enter the key of this one, or ask the vendor for it.',
    inactive: 'The licence is not active. Contact the vendor to have it activated.',
    suspended: 'The licence is suspended. Contact the vendor to use it again.',
    cancelled: 'The licence is cancelled. Contact the vendor to go on with the program.',
    expired: 'The licence has expired. Renew it with the vendor to go on with the program.',
    expired_offline:
      'The licence has expired. Renew it with the vendor; if it was renewed, connect the computer to the internet once.',
    updates_ended:
      'The licence does not include this version of the program. Install an earlier version, or renew the updates with the vendor.',
    installation_limit:
      'The licence is in use on all the computers that it allows. Free a seat on another computer, or ask the vendor for more.',
    not_activated:
      'This computer has no seat in the licence. Open the program with an internet connection, or contact the vendor.',
    no_connection:
      'There is no connection to the licence server. Connect the computer to the internet and try again.',
    unverified:
      'The answer does not come from the licence server. Check the network of this computer, or contact the vendor.',
    offline_expired:
      'The time for working without a connection is over. Connect the computer to the internet once, or ask the vendor for a new licence file.',
    offline_expired_because: 'The time for working without a connection is over.',
    clock_back:
      'The clock of this computer is not right. Set the date and the time, connect the computer to the internet once, or ask the vendor for a new licence file.',
    future:
      'The date of this computer is earlier than that of the licence. Set the date and the time of the computer.',
    unknown: 'The licence does not allow the use of the program ({reason}). Contact the vendor.',
    detail_dns:
      'The address of the licence server cannot be found. Check the internet connection of this computer and its DNS server.',
    detail_tls:
      'No secure connection to the licence server could be opened. Check the date and the time of this computer, and whether an antivirus or a proxy watches the connection; if all is well, tell the vendor.',
    detail_proxy:
      'The proxy of the network does not let the program reach the licence server. Check the settings of the proxy, or ask whoever runs the network.',
    detail_timeout:
      'The licence server did not answer in time. Try again in a few minutes, and check the internet connection if it happens again.',
    detail_unreachable:
      'There is no connection to the licence server. Check the internet connection and the firewall of this computer.',
    detail_rate_limited: 'The licence server was asked too often. Wait a minute and try again.',
    detail_server_error:
      'The licence server has a fault or is under maintenance. Try again in a few minutes, and tell the vendor if it happens again.',
    detail_not_the_server:
      'The answer does not come from the licence server. Sign in to the network if it asks for that, and check the proxy or the antivirus of this computer.',
    detail_wrong_key:
      'The program does not know the signature of the licence server. Install the latest version of the program, or tell the vendor.',
    detail_key_signs:
      'The key does not exist. Keys have no 0, O, 1 or I: compare it letter by letter with the one in the mail.',
    detail_file_missing: 'The licence file cannot be found. Copy it to its place, or ask the vendor for it.',
    detail_file_unreadable:
      'The licence file cannot be read. Check the permissions of the file and of its folder.',
    detail_file_damaged:
      'The licence file is damaged or not complete. Copy it once more, or ask the vendor for it again.',
    detail_file_other_machine:
      'The licence file is for another computer. Ask the vendor for one for this computer.',
    detail_file_other_software:
      'The licence file is for another program. Ask the vendor for the one of this program.',
    detail_file_other_key:
      'The licence file is for another key. Enter the key of the file, or ask the vendor for one for this key.',
    store_denied:
      'The program may not save the licence on this computer, and without that it does not work without a connection. Check the permissions of its data folder.',
    store_full:
      'The disk is full: the program cannot save the licence, and without that it does not work without a connection. Free some space.',
    store_failed:
      'The program cannot save the licence on this computer, and without that it does not work without a connection. Check its data folder.',
    offline_ends:
      'The program works without a connection and will stop in {hours} h. Before that connect the computer to the internet, or ask the vendor for a new licence file.',
    offline_ends_because: 'The program works without a connection and will stop in {hours} h.',
    grace: 'The licence has expired and the program will stop soon. Renew it with the vendor.',
    grace_days: 'The licence has expired and the program will stop in {days} days. Renew it with the vendor.',
  },
};

/** The names of the texts for a result that is ok, with how much is left, in milliseconds. */
function warningsOf({ offline, pending, detail, storeError, inGrace, graceUntil, offlineUntil }) {
  const left = (instant) => (instant ? instant.getTime() - Date.now() : 0);
  if (inGrace) {
    const days = Math.floor(left(graceUntil) / (DAY * 1000));
    return { names: [days >= 2 ? 'grace_days' : 'grace'], days };
  }
  if (offline && !pending && left(offlineUntil) < 2 * DAY * 1000) {
    const hours = Math.max(1, Math.ceil(left(offlineUntil) / (HOUR * 1000)));
    const names = detail ? ['offline_ends_because', `detail_${detail}`] : ['offline_ends'];
    return { names, hours };
  }
  return { names: [`store_${storeError}`] };
}

/** The names of the texts for a result that is not ok. */
function refusalsOf({ reason, offline, detail, storeError }, texts) {
  const because = texts[`detail_${detail}`] ? `detail_${detail}` : null;
  const store = `store_${storeError}`;
  if (reason === 'offline_expired' && because) return ['offline_expired_because', because, store];
  if (reason === 'offline_expired') return [reason, store];
  if (NETWORK_REASONS.includes(reason)) return [because ?? reason, store];
  const isOfKey = ['wrong_key', 'key_signs'].includes(detail) || detail?.startsWith('file_');
  if (reason === 'not_found' && isOfKey && because) return [because];
  if (reason === 'expired' && offline) return ['expired_offline'];
  return [texts[reason] ? reason : 'unknown'];
}

/**
 * What the user of the program reads of a result: what happened and what to do, in Spanish ('es') or English ('en').
 * Empty where there is nothing to say.
 */
export function messageFor(result, language = 'es') {
  const texts = language === 'en' ? MESSAGES.en : MESSAGES.es;
  const warned = result.ok ? warningsOf(result) : { names: refusalsOf(result, texts) };
  const filled = { reason: result.reason, ...warned };
  return warned.names
    .flatMap((name) => texts[name] ?? [])
    .join(' ')
    .replace(/\{(reason|days|hours)\}/, (_, name) => filled[name]);
}

/** The first bytes of a file. */
async function bytesIn(path, most) {
  const file = await node.fs.open(path, 'r');
  try {
    const bytes = new Uint8Array(most);
    let size = 0;
    for (let read = 1; read > 0 && size < most; size += read) {
      read = (await file.read(bytes, size, most - size, null)).bytesRead;
    }
    return bytes.subarray(0, size);
  } finally {
    await file.close();
  }
}

/** The text of a file's first bytes, with why it could not be read: 'missing' or the system's error. */
const readFile = (path, most = FILE_BYTES) =>
  bytesIn(path, most)
    .then((bytes) => ({ text: textIn(bytes), isWhole: bytes.length < most }))
    .catch((error) => ({ text: '', error: /^(ENOENT|ENOTDIR)$/.test(error.code) ? 'missing' : error }));
const fileText = async (path) => (await readFile(path)).text;

const outputOf = (command, args) =>
  new Promise((resolve) => {
    const options = { encoding: 'utf8', timeout: 5000, windowsHide: true };
    node.child.execFile(command, args, options, (error, output) => resolve(error ? '' : output));
  });

/** How each system says its own id: a command and what of its output counts. */
const ID_COMMANDS = {
  win32: [
    ['reg', ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid', '/reg:64']],
    /MachineGuid\s+REG_SZ\s+(\S+)/,
  ],
  darwin: [['ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']], /"IOPlatformUUID" = "([^"]+)"/],
};
const ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];
const idIn = (texts) => texts.map((id) => id.trim()).find((id) => id !== '' && id !== 'uninitialized') ?? '';

/** The system's own id of this computer, never a network address; empty where none can be read. */
async function systemId() {
  const [command, pattern] = ID_COMMANDS[process.platform] ?? [];
  if (command) return pattern.exec(await outputOf(...command))?.[1] ?? '';
  return idIn(await Promise.all(ID_FILES.map(fileText)));
}

/** The same at once. */
function systemIdNow() {
  const [command, pattern] = ID_COMMANDS[process.platform] ?? [];
  if (!command) return idIn(ID_FILES.map((path) => usage.text(path)));
  const options = { encoding: 'utf8', timeout: 5000, windowsHide: true };
  return pattern.exec(node.child.spawnSync(...command, options).stdout ?? '')?.[1] ?? '';
}

/** Names the counter of this page where the system has none that outlives it. Not made at once: Node 18 has no WebCrypto yet. */
let page = '';

/**
 * A counter of seconds that nobody sets: that of the system since it was started, in a browser that of the page. `run`
 * names it: numbers of one run can be compared. Linux has it in a file, which a faked clock of the process does not reach.
 */
async function systemTicks() {
  if (!node) {
    page ||= inHex(random());
    return { run: page, ticks: Math.floor(performance.now() / 1000) };
  }
  const boot = (await fileText('/proc/sys/kernel/random/boot_id')).trim();
  const uptime = Number.parseFloat(await fileText('/proc/uptime'));
  const isRead = boot !== '' && uptime >= 0;
  return { run: isRead ? boot : 'system', ticks: Math.floor(isRead ? uptime : node.os.uptime()) };
}

/** Why a store cannot be used: 'denied', 'full' or 'failed'. The names are those of browsers. */
function storeErrorOf({ code, name }) {
  if (/^(EACCES|EPERM|EROFS)$/.test(code) || name === 'SecurityError') return 'denied';
  return /^(ENOSPC|EDQUOT)$/.test(code) || name === 'QuotaExceededError' ? 'full' : 'failed';
}

/** Writes to a file, whose folder is made where it is missing. */
async function inFolder(path, write) {
  await write().catch(async (error) => {
    if (error.code !== 'ENOENT') throw error;
    await node.fs.mkdir(node.path.dirname(path), { recursive: true });
    await write();
  });
}

async function writeFile(path, text) {
  const draft = `${path}.${inHex(random())}`;
  try {
    await inFolder(path, () => node.fs.writeFile(draft, text));
    await node.fs.rename(draft, path);
  } catch (error) {
    await node.fs.rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** What of a text can be a store: one that is too large is none. */
const ofStore = (text) => (text.length > STORE_BYTES ? '' : text);

/** Keeps a text under a name: in a file, in a browser in localStorage. No method throws; each says what went wrong. */
const storage = {
  async read(name) {
    if (node) {
      const { text, isWhole, error } = await readFile(name, STORE_BYTES + 1);
      return { text: isWhole ? text : '', error: error && error !== 'missing' ? storeErrorOf(error) : null };
    }
    try {
      return { text: ofStore(localStorage.getItem(name) ?? ''), error: null };
    } catch (error) {
      return { text: '', error: storeErrorOf(error) };
    }
  },
  async write(name, text) {
    try {
      if (node) await writeFile(name, text);
      else localStorage.setItem(name, text);
      return null;
    } catch (error) {
      return storeErrorOf(error);
    }
  },
};

/**
 * What was used, in files beside the store. `<store>.usage` takes lines; who sends it gives it a name of its own first, so
 * that no process ever writes over what another one sends. A browser keeps each use under a name of its own.
 */
const usage = {
  /** Adds a use. Returns null, or why it cannot be kept. Without an await: a use that follows sees this one. */
  add(store, use) {
    const line = JSON.stringify(use);
    try {
      if (!node) localStorage.setItem(`${store}.usage.${use.id}`, line);
      // A line of its own even where the one before was torn.
      else while (!isAppended(`${store}.usage`, `\n${line}\n`));
      return null;
    } catch (error) {
      return storeErrorOf(error);
    }
  },
  /** The names under which uses are kept, the file that takes lines first. */
  names(store) {
    if (!node) {
      const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
      return names.filter((name) => name?.startsWith(`${store}.usage`));
    }
    const [folder, own] = [node.path.dirname(store), `${node.path.basename(store)}.usage`];
    const isOwn = (name) =>
      name.startsWith(own) && /^(\.[0-9a-f]{32}|\.sending)?$/.test(name.slice(own.length));
    const names = node.files.readdirSync(folder).filter(isOwn).sort();
    return names.map((name) => (folder === '.' ? name : node.path.join(folder, name)));
  },
  /** The text under a name; null where another process was faster, or where it cannot be read now. */
  read(name) {
    try {
      return node ? textIn(node.files.readFileSync(name)) : localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  text: (name) => usage.read(name) ?? '',
  /** All uses by their ids; none where they cannot be read. */
  all(store) {
    try {
      return new Map(
        usage
          .names(store)
          .flatMap((name) => usesIn(usage.text(name)))
          .map((use) => [use.id, use]),
      );
    } catch {
      return new Map();
    }
  },
  /** What is to be sent, as [name, uses]; nobody adds to these files any more. */
  take(store) {
    try {
      if (node) {
        try {
          node.files.renameSync(`${store}.usage`, `${store}.usage.${inHex(random())}`);
        } catch {
          // There is none, or it cannot be moved now: the next check tries again.
        }
      }
      const names = usage.names(store).filter((name) => !node || name !== `${store}.usage`);
      // What cannot be read now stays for a later check.
      return names.flatMap((name) => {
        const text = usage.read(name);
        return text === null ? [] : [{ name, uses: usesIn(text) }];
      });
    } catch {
      return [];
    }
  },
  /** Keeps of a file only these uses. What is kept twice is sent twice, and counts once. */
  async keepOnly(store, { name, uses }, rest) {
    if (rest.length === uses.length && rest.length > 0) return;
    const lines = rest.map((use) => `${JSON.stringify(use)}\n`).join('');
    if (rest.length > 0 && (await storage.write(`${store}.usage.${inHex(random())}`, lines)) !== null) return;
    try {
      if (node) node.files.rmSync(name, { force: true });
      else localStorage.removeItem(name);
    } catch {
      // It is sent again, and counts no second time.
    }
  },
};

/**
 * Adds a line to a file. False where the file got another name meanwhile: who sends it may have read it before, so the
 * line is added once more, with the same id.
 */
function isAppended(path, line) {
  const { files } = node;
  files.mkdirSync(node.path.dirname(path), { recursive: true });
  const file = files.openSync(path, 'a');
  try {
    const { size, ino } = files.fstatSync(file, { bigint: true });
    if (size > USAGE_BYTES) throw Object.assign(new Error('too large'), { code: 'ENOSPC' });
    const bytes = inUtf8(line);
    for (let from = 0; from < bytes.length; ) from += files.writeSync(file, bytes, from);
    return files.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === ino;
  } finally {
    files.closeSync(file);
  }
}

const isUse = (code, amount) =>
  Number.isSafeInteger(amount) &&
  amount >= 1 &&
  amount <= AMOUNT_MAX &&
  /^[a-z0-9_]{1,50}$/.test(textOf(code));

/**
 * What was used, by the lines of a file. A line that was torn is none, nor is one that no use can be: the server would
 * refuse the others with it.
 */
const usesIn = (text) =>
  text
    .split('\n')
    .map(objectOf)
    .filter(
      (use) =>
        use && isUse(use.code, use.amount) && /^[0-9a-f]{32}$/.test(textOf(use.id)) && isTime(use.clock),
    );

/**
 * What is left of a meter by claims, without what waits. After its reset all of it, but the last one of a licence comes
 * only with its renewal. Of a file that is renewed only what was used since counts, where the meter is ever reset.
 */
function leftIn(claims, isFile, code, now, uses) {
  const all = Array.isArray(claims?.meters) ? claims.meters : [];
  const meter = all.find((one) => isObject(one) && one.code === code);
  if (!meter || !isTime(meter.limit) || !isTime(meter.remaining)) return { left: null, refuses: false };
  const reset = instantOf(meter.resets_at);
  const end = instantOf(claims.license_expires);
  const isReset = reset !== null && now * 1000 >= reset && (end === null || reset < end);
  const since = isReset ? reset / 1000 : isFile && reset !== null ? claims.iat : 0;
  let left = isReset ? meter.limit : meter.remaining;
  for (const use of uses.values()) if (use.code === code && use.clock >= since) left -= use.amount;
  return { left: Math.max(0, left), refuses: meter.overage === 'refuse' };
}

const inIso = (seconds) => new Date(seconds * 1000).toISOString();

/** What is known of an error of fetch: its code, and those of its causes. */
function causesOf(error) {
  const causes = [];
  for (let cause = error; isObject(cause) && causes.length < 9; cause = cause.cause ?? cause.errors?.[0]) {
    causes.push(cause);
  }
  return causes;
}

/** How Node names what is wrong with a certificate or its chain, and with TLS. */
const CERTIFICATE =
  /CERT|CRL_|TLS|SSL|UNABLE_TO_|INVALID_CA|PATH_LENGTH|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO/;

/** Why a call had no answer, as `detail` and in a word for the log. A browser does not say why. */
function failureOf(error, server) {
  const { hostname, port, protocol } = new URL(server);
  const ownPort = Number(port || (protocol === 'https:' ? 443 : 80));
  const causes = causesOf(error);
  // Electron writes its code into the message. The code of a DOMException is a number that says nothing.
  const codes = causes.map(
    ({ code, name, message }) =>
      /^net::(ERR_\w+)/.exec(message)?.[1] ?? (typeof code === 'string' ? code : String(name)),
  );
  // Who did not answer was not the server, or somebody answered 407: of that Node's fetch makes an error that says nothing.
  const isOfProxy = (cause) =>
    (cause.port !== undefined && Number(cause.port) !== ownPort) ||
    (cause.hostname !== undefined && cause.hostname !== hostname) ||
    (cause !== error && cause.message === '' && cause.code === undefined) ||
    /proxy/i.test(cause.message);
  const some = (pattern) => codes.some((code) => pattern.test(code));
  const detailIn = () => {
    if (some(/^TimeoutError$|TIMEOUT|TIMED_?OUT/)) return 'timeout';
    if (causes.some(isOfProxy) || some(/TUNNEL/)) return 'proxy';
    if (some(/^(ENOTFOUND|EAI_\w+|ERR_NAME_\w+)$/)) return 'dns';
    return some(CERTIFICATE) ? 'tls' : 'unreachable';
  };
  return { detail: detailIn(), word: codes.at(-1) ?? typeof error };
}

/** Why an answer is no verdict. `error` is the failed step of its token; 429, 407 and 5xx come from no program of ours. */
function problemOf(status, error) {
  if (status === 429) return { problem: 'no_connection', detail: 'rate_limited' };
  if (status === 407) return { problem: 'no_connection', detail: 'proxy' };
  if (status >= 500) return { problem: 'no_connection', detail: 'server_error' };
  return { problem: 'unverified', detail: KEY_ERRORS.includes(error) ? 'wrong_key' : 'not_the_server' };
}

/** What of a result must change for `onChange` to be called. A text that begins may be the warning before the end. */
const toldOf = (result) => {
  const { ok, reason, features, inGrace, offline } = result;
  return JSON.stringify([ok, reason, features, inGrace, offline, messageFor(result) !== '']);
};

/** The licence of this program on this computer. */
export class License {
  /** Why the last release was not true; null where it was, and before. */
  releaseReason = null;
  /** Why there was no verdict on it, as `detail` of a result. */
  releaseDetail = null;
  /** Why the last portalUrl gave none, and its detail; null where it gave one, and before. */
  portalReason = null;
  portalDetail = null;
  /** Why the last startTrial gave no key, or why its trial may not be used; null where it may, and before. */
  trialReason = null;
  trialDetail = null;
  #options;
  #machineId = null;
  /** The search for it, which is made once. */
  #finding = null;
  /** What could not be written to the store. */
  #unwritten = null;
  #storeError = null;
  #features = {};
  /** What was kept, as texts, and the claims in it that say what is left. */
  #kept = { texts: null, claims: null, isFile: false };
  /** The key that was checked last. */
  #key = null;
  /** Uses that the server refused, for the next result. */
  #refused = [];
  /** Ids of consumptions that were not answered, by code and amount: said again, they count once. */
  #unanswered = [];
  /** The last result with its key, when it came, and for how many seconds it may be used. */
  #last = null;
  /** The check that callers of checkCached share, with its key. */
  #shared = null;
  /** The start that runs, with its timer; its checks are made one after another. */
  #started = null;
  #beats = Promise.resolve();
  /** What reads the store and writes what follows from it: one after another, and none of it waits for the server. */
  #writes = Promise.resolve();

  constructor({ timeout = 5, clock = () => Math.floor(Date.now() / 1000), ...options }) {
    const { server, software, keys, store, machineId, instance, log } = options;
    if (!isAddress(server)) throw new TypeError('server: an address with https:// is needed');
    if (textOf(software).trim() === '') throw new TypeError('software: the code of the software is needed');
    if (!(timeout > 0)) throw new TypeError('timeout: seconds, more than 0');
    if (!store)
      throw new TypeError('store: the path of a file is needed, in a browser a name for localStorage');
    if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isPublicKey)) {
      throw new TypeError('keys: public keys of P-256 with kid, x and y are needed');
    }
    if (options.releasedOn && !isDay(options.releasedOn))
      throw new TypeError('releasedOn: a day as 2026-11-21');
    if (instance && machineId) throw new TypeError('instance: not together with machineId');
    if (log && typeof log !== 'function') throw new TypeError('log: a function is needed');
    if (options.fetch && typeof options.fetch !== 'function')
      throw new TypeError('fetch: a function is needed');
    if (!isNode && !machineId) throw new TypeError('machineId: a browser has no id of its own');
    if (!isNode && !crypto?.subtle)
      throw new TypeError('The browser allows cryptography only on a page under https');
    loadNow();
    this.#options = { ...options, timeout, clock, server: server.replace(/([^/])\/{1,9}$/, '$1') };
  }

  /** Whether the program may run with this key; without one, by the licence file alone. Never throws. */
  async check(key) {
    await ready();
    const asked = String(key ?? '').trim();
    this.#key = asked;
    const { result: decided, now, detail = null } = await this.#decide(asked);
    const result = { ...decided, detail, storeError: this.#storeError, refusedUses: this.#refused };
    this.#refused = [];
    const lasts = result.ok ? result.offlineUntil.getTime() / 1000 - now : MINUTE;
    this.#last = { key: asked, result, at: performance.now(), lasts };
    this.#features = result.features;
    return result;
  }

  /**
   * The last result of this key where it is younger than these seconds, else a check that concurrent callers share.
   * While one waits for the server, those who have a result that holds get that. Never throws.
   */
  async checkCached(key, seconds) {
    const asked = String(key ?? '').trim();
    this.#key = asked;
    const last = this.#last?.key === asked ? this.#last : null;
    const age = last && (performance.now() - last.at) / 1000;
    const isShared = this.#shared?.key === asked;
    if (last && age < last.lasts && (age < seconds || (isShared && last.result.ok))) {
      this.#features = last.result.features;
      return last.result;
    }
    if (isShared) return this.#shared.promise;
    const shared = { key: asked, promise: this.check(asked) };
    this.#shared = shared;
    try {
      return await shared.promise;
    } finally {
      if (this.#shared === shared) this.#shared = null;
    }
  }

  /**
   * Calls onChange with what is kept, where that is good (`pending`), then checks, and again whenever a result says, until
   * stop(). Calls onChange with the result of the first check and with each that differs in ok, reason, features, inGrace or
   * offline, or has a text where the one before had none. Keeps no program alive.
   */
  start(key, onChange) {
    this.stop();
    const run = { timer: null, told: null };
    this.#started = run;
    this.#key = String(key ?? '').trim();
    const beat = async () => {
      if (this.#started !== run) return;
      const result = await this.check(key);
      if (this.#started !== run) return;
      this.#tell(run, result, onChange);
      run.timer = setTimeout(() => this.#queue(beat), result.nextCheck * 1000);
      run.timer.unref?.();
    };
    const show = (kept) => {
      if (!kept || this.#started !== run) return;
      this.#features = kept.features;
      this.#call(kept, onChange);
    };
    // What makes this fail makes the check fail too.
    const shown = this.#look(this.#key).then(show, () => {});
    this.#queue(() => shown.then(beat));
  }

  /**
   * The result of what is kept, where that is good. It waits for no check: a server may hang, or be behind a wall that answers
   * nothing.
   */
  async #look(key) {
    await ready();
    const program = await this.#programOf(key);
    const { result } = await (key === ''
      ? this.#decideByFile(program)
      : this.#decideOffline(program, 'no_connection'));
    const told = { pending: true, detail: null, storeError: this.#storeError, refusedUses: [] };
    return result.ok ? { ...result, ...told } : null;
  }

  /** Ends what start began. */
  stop() {
    clearTimeout(this.#started?.timer);
    this.#started = null;
  }

  /** After the check that another start may have under way. */
  #queue(beat) {
    this.#beats = this.#beats.then(beat);
  }

  #tell(run, result, onChange) {
    if (toldOf(result) === run.told && result.refusedUses.length === 0) return;
    run.told = toldOf(result);
    this.#call(result, onChange);
  }

  #call(result, onChange) {
    const failed = (error) => this.#log('callback', `onChange threw: ${error?.name ?? typeof error}`);
    try {
      // A function may be async.
      Promise.resolve(onChange(result)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Whether the last check was ok and the licence has this feature. */
  has(code) {
    return Object.hasOwn(this.#features, code) && this.#features[code] !== false;
  }

  /**
   * Notes that something was used, beside the store; checks send it, and it counts once. True where it is kept; false too
   * where less is left, of a meter that refuses what is beyond. Never throws.
   */
  async use(code, amount = 1) {
    await ready();
    if (!isUse(code, amount)) return false;
    if (!node) await this.#openKept();
    const { left, refuses } = this.#leftOf(code);
    if (refuses && left < amount) {
      this.#log('use_refused', `${code}: ${amount} of ${left} (limit_reached)`);
      return false;
    }
    return this.#keepUse({ code, amount, id: inHex(random()), clock: Math.floor(this.#options.clock()) });
  }

  #keepUse(use) {
    const error = usage.add(this.#options.store, use);
    if (error) this.#log(`store_${error}`, `A use cannot be kept (${error}).`);
    return error === null;
  }

  /**
   * Asks the server to count this now, with the key that was checked last: true only where it signed that it did. A call
   * without such an answer, said again, counts once. Never throws.
   */
  async consume(code, amount = 1) {
    await ready();
    if (!isUse(code, amount) || !this.#key) return false;
    const program = await this.#programOf(this.#key);
    const again = this.#unanswered.findIndex((use) => use.code === code && use.amount === amount);
    const id = again < 0 ? inHex(random()) : this.#unanswered.splice(again, 1)[0].id;
    const { claims, status } = await this.#ask(
      'usage',
      { records: [{ code, amount, request_id: id }] },
      program,
    );
    if (!claims) {
      // Nobody signed whether it counted: the same id asks again.
      if (status !== 400) this.#unanswered.push({ code, amount, id });
      return false;
    }
    const said = Array.isArray(claims.uses) ? claims.uses.filter(isObject) : [];
    const use = said.find((one) => one.request_id === id);
    // A relay may have changed the record, sent another one first under this id, or named another day.
    const isThis = use?.code === code && use.amount === amount && use.past !== true;
    if (use?.accepted === true && isThis) {
      // What was kept does not know of it yet.
      this.#keepUse({ code, amount, id, clock: Math.floor(this.#options.clock()), counted: true });
      return true;
    }
    if (use?.accepted === false) this.#refuse({ code, amount }, use.reason);
    else this.#log('use_refused', `${code}: ${amount} (${textOf(claims.reason) || 'not this use'})`);
    return false;
  }

  #refuse({ code, amount }, reason) {
    this.#refused.push({ code, amount, reason: textOf(reason) || 'invalid' });
    this.#log('use_refused', `${code}: ${amount} (${textOf(reason) || 'invalid'})`);
  }

  /**
   * What is left of a meter: what the last verdict said, without what waits to be sent. From the first line on, without
   * connection too. Null without a limit, and where nothing was kept.
   */
  remaining(code) {
    return this.#leftOf(code).left;
  }

  #leftOf(code) {
    if (node) this.#openKeptNow();
    const { claims, isFile } = this.#kept;
    const now = Math.floor(this.#options.clock());
    return leftIn(claims, isFile, code, now, claims ? usage.all(this.#options.store) : new Map());
  }

  /** The texts that may say what is left. */
  #keptTexts() {
    const { store, file } = this.#options;
    const content = this.#unwritten ?? objectOf(ofStore(usage.text(store)).replace(/^\ufeff/, '')) ?? {};
    const ofFile = file ? (node ? usage.text(file) : file).slice(0, FILE_BYTES) : '';
    return { license: textOf(content.license), token: textOf(content.token), file: tokenOfFile(ofFile) };
  }

  /** The newer one of the kept verdict and the file of its key. */
  #noteKept(texts, token, file) {
    const isOwn = token.claims?.key_hash === texts.license;
    const ofToken = isOwn ? token.claims : null;
    const ofFile = file.claims && (!ofToken || file.claims.key_hash === texts.license) ? file.claims : null;
    const isFile = ofFile !== null && (ofToken === null || ofFile.iat > ofToken.iat);
    this.#kept = { texts: JSON.stringify(texts), claims: isFile ? ofFile : ofToken, isFile };
  }

  #openKeptNow() {
    const texts = this.#keptTexts();
    if (JSON.stringify(texts) === this.#kept.texts) return;
    const program = {
      ...this.#options,
      keyHash: ANY_KEY,
      machineId: this.#machineId ?? this.#machineIdNow(),
    };
    const read = (token, role) => (token ? readTokenNow(token, role, program) : {});
    this.#noteKept(texts, read(texts.token, 'stored'), read(texts.file, 'file'));
  }

  /** The same in a browser, whose cryptography answers later. */
  async #openKept() {
    const texts = this.#keptTexts();
    if (JSON.stringify(texts) === this.#kept.texts) return;
    const program = { ...this.#options, keyHash: ANY_KEY, machineId: await this.machineId() };
    const read = (token, role) => (token ? readToken(token, role, program) : {});
    this.#noteKept(texts, await read(texts.token, 'stored'), await read(texts.file, 'file'));
  }

  /**
   * Sends what was used. Each use has an id, so that what was sent and not answered can be sent again. Returns the files
   * with the ids that were answered: they are deleted once a verdict that knows of them was kept.
   */
  async #sendUses(program, time) {
    const files = usage.take(this.#options.store);
    const counted = files.flatMap(({ uses }) => uses.filter((use) => use.counted === true));
    const answered = new Set(counted.map(({ id }) => id));
    const waiting = [...new Map(files.flatMap(({ uses }) => uses).map((use) => [use.id, use])).values()];
    const unsent = waiting.filter(({ id }) => !answered.has(id));
    const ahead = time - Math.floor(this.#options.clock());
    const last = Math.min(unsent.length, SENDINGS_MAX * RECORDS_MAX);
    for (let from = 0; from < last; from += RECORDS_MAX) {
      const part = unsent.slice(from, from + RECORDS_MAX);
      if (!(await this.#sendPart(part, program, { time, ahead }))) break;
      for (const { id } of part) answered.add(id);
    }
    return { files, answered, isMore: last < unsent.length };
  }

  /** Whether the server answered. Moments are said by its clock: that of the computer may be wrong. */
  async #sendPart(uses, { licenseKey: license_key, machineId: machine_id, software }, { time, ahead }) {
    const records = uses.map(({ code, amount, id, clock }) => ({
      ...{ code, amount, request_id: id },
      at: inIso(Math.max(0, Math.min(time, clock + ahead))),
    }));
    const { failure, status, body } = await this.#post(PATHS.usage, {
      license_key,
      machine_id,
      software,
      records,
    });
    const isAnswered = status === 200 && Array.isArray(body?.results);
    // What the server takes for no record it would take for none tomorrow.
    if (!isAnswered && status !== 400) {
      const detail = failure?.detail ?? problemOf(status).detail;
      this.#log(detail, `usage: ${failure?.word ?? `status ${status}`}`);
      return false;
    }
    if (!isAnswered) for (const use of uses) this.#refuse(use, 'invalid');
    for (const one of isAnswered ? body.results : []) {
      const use = uses.find(({ id }) => id === one?.request_id);
      if (use && one.accepted === false) this.#refuse(use, one.reason);
    }
    return true;
  }

  /** Deletes what a kept verdict knows of. */
  async #forgetSent({ files, answered }) {
    for (const file of files) {
      const rest = file.uses.filter(({ id }) => !answered.has(id));
      await usage.keepOnly(this.#options.store, file, rest);
    }
  }

  /**
   * Starts the trial of this computer, or finds the one that it has: the key, for check. Null where there is none; trialReason
   * then says why, and of a trial that may not be used why not. Never throws.
   */
  async startTrial({ email, name } = {}) {
    await ready();
    const nonce = inBase64Url(random());
    const machine_name = this.#machineName();
    const asked = { software: this.#options.software, machine_id: await this.machineId(), machine_name };
    const about = { email, name, app_version: this.#options.appVersion, os: systemName(), nonce };
    const answer = await this.#post(PATHS.trial, { ...asked, ...about });
    const { key, reason, detail } = await this.#trialIn(answer, nonce);
    if (detail) this.#log(detail, `trial: ${answer.failure?.word ?? `status ${answer.status}`}`);
    this.trialReason = reason;
    this.trialDetail = detail;
    return key;
  }

  /** The trial in an answer. Only a signed one counts: anybody could name a key. */
  async #trialIn({ failure, status, body }, nonce) {
    if (failure) return { key: null, reason: 'no_connection', detail: failure.detail };
    const key = textOf(body?.license_key).trim();
    const token = textOf(body?.token);
    const { claims, error } = await readToken(token, 'activate', await this.#programOf(key));
    if (key && claims?.nonce === nonce) {
      const why = claims.reason === 'expired' ? 'trial_ended' : claims.reason;
      return { key, reason: claims.valid === true ? null : why, detail: null };
    }
    const { problem, detail } = problemOf(status, error);
    const code = token ? null : codeIn(body);
    const isSaid = problem === 'unverified' || (status === 429 && code === 'trial_limit');
    return code && isSaid
      ? { key: null, reason: code, detail: null }
      : { key: null, reason: problem, detail };
  }

  /** Gives the seat of this computer back. True when the server said so, else releaseReason says why. Never throws. */
  async release(key) {
    await ready();
    // A check of start that runs could take the seat again.
    await this.#beats;
    const program = await this.#programOf(String(key ?? '').trim());
    const sent = await this.#sendUses(program, Math.floor(this.#options.clock()));
    const { claims, problem, detail, code } = await this.#ask('release', {}, program);
    const isFree = claims?.reason === 'not_activated';
    const reason = claims ? (claims.reason ?? 'unverified') : (code ?? problem);
    this.releaseReason = isFree ? null : reason;
    this.releaseDetail = claims || code ? null : detail;
    if (!isFree) return false;
    this.#features = {};
    this.#last = null;
    await this.#inTurn(async () =>
      this.#write({ ...(await this.#read()), license: '', token: '', before: '' }),
    );
    await this.#forgetSent(sent);
    return true;
  }

  /**
   * An address of the portal for this computer's seat, for the browser: it works once, within five minutes. Null where
   * there is none; portalReason then says why. Never throws.
   */
  async portalUrl(key) {
    await ready();
    const license_key = String(key ?? '').trim();
    const asked = { license_key, machine_id: await this.machineId(), software: this.#options.software };
    const { failure, status, body } = await this.#post(PATHS.portal, asked);
    const isGood = status === 200 && isOfPortal(textOf(body?.url), this.#options.server + PATHS.portal);
    const url = isGood ? body.url : null;
    const { problem, detail } = failure ? { problem: 'no_connection', ...failure } : problemOf(status);
    const code = problem === 'unverified' ? codeIn(body) : null;
    this.portalReason = url ? null : (code ?? problem);
    this.portalDetail = url || code ? null : detail;
    if (!url) this.#log(detail, `portal: ${failure?.word ?? `status ${status}, ${code ?? 'no address'}`}`);
    return url;
  }

  /** The id of this computer for this software, which a licence file is issued for. */
  async machineId() {
    await ready();
    this.#finding ??= this.#findMachineId();
    this.#machineId = await this.#finding;
    return this.#machineId;
  }

  async #findMachineId() {
    const { machineId, software, store } = this.#options;
    if (machineId?.trim()) return machineId.trim();
    const instance = textOf(this.#options.instance).trim();
    const own = await systemId();
    if (own) return sha256(instance ? `${own}\n${software}\n${instance}` : `${own}\n${software}`);
    const made = await this.#madeId(`${store}.machine`);
    return instance ? sha256(`${made}\n${software}\n${instance}`) : made;
  }

  /** The same at once; empty where the system says it only later, and then nothing kept is believed. */
  #machineIdNow() {
    const { machineId, software, store } = this.#options;
    if (machineId?.trim()) return machineId.trim();
    const instance = textOf(this.#options.instance).trim();
    const hash = (text) => node.keys.createHash('sha256').update(text).digest('hex');
    const own = systemIdNow();
    if (own) return hash(instance ? `${own}\n${software}\n${instance}` : `${own}\n${software}`);
    const made = usage.text(`${store}.machine`).trim();
    return instance ? hash(`${made}\n${software}\n${instance}`) : made;
  }

  /** Random digits that are made once and kept. */
  async #madeId(path) {
    const kept = (await storage.read(path)).text.trim();
    if (/^[0-9a-f]{32}$/.test(kept)) return kept;
    const made = inHex(random());
    this.#note(await storage.write(path, made));
    return made;
  }

  /** Calls the program's log, which can change nothing. */
  #log(code, message) {
    try {
      Promise.resolve(this.#options.log?.(code, message)).catch(() => {});
    } catch {
      // What a log throws is its own affair.
    }
  }

  /** Remembers what became of the store, and logs a problem. */
  #note(storeError) {
    this.#storeError = storeError;
    if (storeError)
      this.#log(
        `store_${storeError}`,
        `The store cannot be used (${storeError}): no work without connection.`,
      );
  }

  /** The result, with now: the mark after the check. */
  async #decide(key) {
    const program = await this.#programOf(key);
    if (key === '') return this.#decideByFile(program);
    const { token, claims, sent, ...told } = await this.#askServer(program);
    if (claims) {
      await this.#inTurn(() => this.#keep(program, token, claims));
      if (sent) await this.#forgetSent(sent);
      const result = waitingForSeat(resultOf(claims, claims.iat, false), { claims, ...told });
      const detail = claims.reason === 'not_found' && hasWrongSigns(key) ? 'key_signs' : null;
      // What is left to be sent does not wait for an hour.
      const next = sent?.isMore ? { nextCheck: MINUTE } : {};
      return { result: { ...result, ...next }, now: claims.iat, detail };
    }
    const { result, now } = await this.#decideOffline(program, told.problem);
    const isLimited = told.detail === 'rate_limited';
    const known = isLimited ? this.#limited(key, result, told.retryAfter) : result;
    return { result: known, now, detail: told.detail };
  }

  /** Writes a fresh verdict. */
  async #keep(program, token, { iat }) {
    const fromNow = { back: 0, leap: 0, issued: iat, ...(await this.#timesNow()) };
    const before = refusesBuild(partOf(token.split('.')[1])) ? await this.#goodBefore(program) : '';
    await this.#write({ license: program.keyHash, token, before, mark: iat, ...fromNow });
  }

  /** The good verdict that stays beside the refusal of this build: an older build may go on with it. */
  async #goodBefore(program) {
    const store = await this.#read();
    if (store.license !== program.keyHash) return '';
    const { claims } = await readToken(store.token, 'stored', { ...program, releasedOn: '' });
    if (claims?.valid === true) return store.token;
    return refusesBuild(claims) ? store.before : '';
  }

  /** Too many questions make no program offline; they only let it ask later. */
  #limited(key, result, retryAfter) {
    const last = this.#last?.key === key ? this.#last.result : null;
    const isSame = last && last.ok === result.ok && last.reason === result.reason;
    const nextCheck = Math.min(HOUR, Math.max(result.nextCheck, retryAfter));
    return { ...result, nextCheck, offline: isSame ? last.offline : result.offline };
  }

  /** Without a key: that of the file. The server cannot be asked. */
  async #decideByFile(program) {
    const { claims, problem } = await this.#readFile({ ...program, keyHash: ANY_KEY });
    if (!claims) return { result: refusal('not_found', false), now: 0, detail: problem };
    return this.#decideOffline({ ...program, keyHash: claims.key_hash }, 'not_found');
  }

  /** What tokens are judged by. */
  async #programOf(licenseKey) {
    const keyHash = await keyHashOf(licenseKey);
    return { ...this.#options, machineId: await this.machineId(), licenseKey, keyHash };
  }

  /** Steps 2 to 5 of ../README.md. Returns the verdict, or what #ask says in its place. */
  async #askServer(program) {
    const released_on = this.#options.releasedOn || undefined;
    const about = { app_version: this.#options.appVersion, os: systemName(), released_on };
    const first = await this.#ask('validate', { require_seat: true, ...about }, program);
    const named = { ...about, machine_name: this.#machineName() };
    if (first.claims?.reason === 'not_activated') {
      const taken = await this.#ask('activate', named, program);
      const sent = taken.claims?.valid ? await this.#sendUses(program, taken.claims.iat) : { files: [] };
      if (sent.files.length === 0) return taken;
      // The verdict that is kept knows of what was sent.
      const beat = await this.#ask('heartbeat', named, program);
      return beat.claims ? { ...beat, sent } : taken;
    }
    if (!first.claims?.valid) return first;
    const sent = await this.#sendUses(program, first.claims.iat);
    return { ...(await this.#ask('heartbeat', named, program)), sent };
  }

  /** The name given, or that of the computer. */
  #machineName() {
    const { machineName } = this.#options;
    try {
      const name = machineName ?? node?.os.hostname();
      return name === undefined ? undefined : cut(String(name), 200);
    } catch {
      return undefined;
    }
  }

  /**
   * One call. Returns the verdict as token and claims with what a refusal says of seats, or the problem (no_connection or unverified) with its detail, the
   * seconds to wait, and the code of an answer without a token.
   */
  async #ask(call, fields, program) {
    const nonce = inBase64Url(random());
    const { licenseKey: license_key, machineId: machine_id, software } = program;
    const asked = { license_key, machine_id, software, ...fields, nonce };
    const answer = await this.#post(PATHS[call], asked);
    if (answer.failure) {
      const { detail, word } = answer.failure;
      this.#log(detail, `${call}: no answer of the server (${word})`);
      return { problem: 'no_connection', detail, status: null };
    }
    const { status, body, retryAfter } = answer;
    const token = textOf(body?.token);
    const { claims, error } = await readToken(token, call, program);
    if (claims?.nonce === nonce) return { token, claims, seatFreeAt: instantOf(body.seat_free_at) };
    const problem = problemOf(status, error);
    const code = problem.problem === 'unverified' && !token ? codeIn(body) : null;
    const why = token ? `its token fails (${error ?? 'nonce'})` : `no token${code ? ` (${code})` : ''}`;
    this.#log(problem.detail, `${call}: status ${status}, ${why}`);
    return { ...problem, code, retryAfter, status };
  }

  /** Returns the status and the JSON object of an answer, or the failure without an answer. */
  async #post(path, fields) {
    const { server, timeout, fetch: send = globalThis.fetch } = this.#options;
    const ending = new AbortController();
    const ended = new Promise((_, reject) => {
      ending.signal.addEventListener('abort', () => reject(ending.signal.reason));
    });
    const end = () => ending.abort(new DOMException('No whole answer in time.', 'TimeoutError'));
    const timer = setTimeout(end, Math.min(timeout * 1000, TIMER_MAX));
    const asked = async () => {
      const response = await send(server + path, {
        method: 'POST',
        // A browser says its own.
        headers: { 'content-type': 'application/json', ...(node && { 'user-agent': USER_AGENT }) },
        body: JSON.stringify(fields),
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        signal: ending.signal,
      });
      const { status, redirected } = response;
      const wait = response.headers.get('retry-after') ?? '';
      const retryAfter = /^\d{1,9}$/.test(wait) ? Number(wait) : 0;
      const text = await bodyOf(response);
      // A fetch of the program may follow a redirect all the same.
      return { status, body: redirected ? null : objectOf(text), retryAfter };
    };
    try {
      // A fetch of the program may heed no signal.
      return await Promise.race([asked(), ended]);
    } catch (error) {
      return { failure: failureOf(error, server) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** The clock of the computer, and the counter that nobody sets. */
  async #timesNow() {
    const { clock, uptime } = this.#options;
    const counter = uptime ? { run: 'given', ticks: Math.floor(uptime()) } : await systemTicks();
    return { clock: Math.floor(clock()), ...counter };
  }

  /** Step 7 and 8: the kept verdict and the file, judged by the later of clock and mark. The result, with now. */
  #decideOffline(program, problem) {
    return this.#inTurn(() => this.#decideByStore(program, problem));
  }

  async #decideByStore(program, problem) {
    const store = await this.#read();
    // After the store, so that another process that writes it cannot make this clock look set back.
    const times = await this.#timesNow();
    const last = await readToken(store.token, 'stored', program);
    const isForOther = isForNewer(last.claims, program.releasedOn);
    const kept = isForOther ? await readToken(store.before, 'stored', program) : last;
    const file = await this.#readFile(program);
    const marks = [store.mark, last.claims?.iat, kept.claims?.iat].filter(isTime);
    const verdicts = [];
    if (kept.claims && store.license === program.keyHash)
      verdicts.push({ claims: kept.claims, isKept: true });
    if (file.claims) verdicts.push({ claims: file.claims });

    const byClock = timeOf(store, marks.length > 0 ? Math.max(...marks) : null, times);
    const time = timeByFile(file.claims, store, byClock);
    for (const [code, message] of bitesOf(store, byClock, time)) this.#log(code, message);
    const ended = [];
    let best = null;
    let now = null;
    for (const { claims, isKept } of verdicts) {
      const judged = judgeTime(claims, time);
      now ??= judged.now ?? null;
      const isLastingRefusal = isKept && !claims.valid && judged.error === 'expired';
      if (judged.error && !isLastingRefusal) ended.push(endedOf(judged.error, claims, judged.now));
      else if (best === null || claims.iat > best.iat) best = claims;
    }
    if (now !== null) {
      const known = timeAfter(store, time, now, best, verdicts[0].claims);
      await this.#write({ ...store, ...times, ...known });
    }
    if (best) return { result: resultOf(best, now, true), now };
    return { result: ended[0] ?? refusal(problem, false), now };
  }

  /** The claims of the licence file, or why there are none. In a browser `file` is the text of the file itself. */
  async #readFile(program) {
    const { file } = this.#options;
    if (!file) return { problem: null };
    const { text, error: unread } = node ? await readFile(file) : { text: file.slice(0, FILE_BYTES) };
    const { claims, error } = await readToken(tokenOfFile(text), 'file', program);
    if (claims) return { claims };
    const unreadable = unread === 'missing' ? 'file_missing' : 'file_unreadable';
    const problem = unread ? unreadable : (FILE_PROBLEMS[error] ?? 'file_damaged');
    this.#log(problem, `The licence file does not count (${unread ? (unread.code ?? unread) : error}).`);
    return { problem };
  }

  /** Does some work with the store once the work before is done. */
  #inTurn(work) {
    const done = this.#writes.then(work);
    this.#writes = done.catch(() => {});
    return done;
  }

  async #read() {
    const content = this.#unwritten ?? (await this.#readStore());
    const time = (name, absent = null) => (isTime(content[name]) ? content[name] : absent);
    return {
      ...{ license: textOf(content.license), token: textOf(content.token), mark: time('mark') },
      ...{ clock: time('clock'), back: time('back', 0), leap: time('leap', 0), issued: time('issued') },
      ...{ before: textOf(content.before), run: textOf(content.run), ticks: time('ticks') },
    };
  }

  async #readStore() {
    const { text, error } = await storage.read(this.#options.store);
    this.#note(error);
    return objectOf(text.replace(/^\ufeff/, '')) ?? {};
  }

  async #write({ before, ...known }) {
    const content = before ? { ...known, before } : known;
    const storeError = await storage.write(this.#options.store, JSON.stringify(content));
    this.#unwritten = storeError ? content : null;
    this.#note(storeError);
  }
}

/** The code of an answer that is not signed: it explains, and decides nothing. */
const codeIn = (body) => (/^[a-z_]{1,50}$/.test(textOf(body?.code)) ? body.code : null);

/** The body of an answer as text, or an empty text when it is larger than any answer of the server. */
async function bodyOf(response) {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > ANSWER_BYTES) {
      await reader.cancel();
      return '';
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The system's name and version. */
function systemName() {
  const name = node ? `${node.os.type()} ${node.os.release()}` : (globalThis.navigator?.userAgent ?? '');
  return cut(name, 100);
}
