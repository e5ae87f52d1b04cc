// Asks a License Manager server whether a licence holds on this computer, and answers without connection from what it
// kept. ../README.md describes it, ../../docs/offline.md the token. One file without dependencies: copy it.
// It runs in Node from 18 on, in Electron and in browsers.

const USER_AGENT = 'license-manager-javascript/0.2.0';
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const AHEAD_SECONDS = 5 * 60;
/** What a start counts whose clock is not later than at the last check. */
const START_SECONDS = 10 * 60;
const ANSWER_BYTES = 64 * 1024;
const BEGIN = '-----BEGIN LICENSE FILE-----';
const END = '-----END LICENSE FILE-----';
const PATHS = {
  validate: '/licenses/api/license/validate/',
  activate: '/licenses/api/installations/',
  heartbeat: '/licenses/api/installation/heartbeat/',
  release: '/licenses/api/installations/release/',
};
/** In place of a key's hash: a file of any key is good. */
const ANY_KEY = Symbol('any key');
const REASONS_OFFLINE = { expired: 'offline_expired', clock_back: 'clock_back', future: 'future' };

// Modules of Node are loaded only where there is Node, and bundlers leave these imports alone.
const isNode = typeof process === 'object' && Boolean(process.versions?.node);
const load = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
const node = isNode
  ? { fs: await load('fs/promises'), os: await load('os'), child: await load('child_process') }
  : null;
// Node 18 has WebCrypto, but not under its global name.
const crypto = globalThis.crypto ?? (await load('crypto')).webcrypto;

const inUtf8 = (text) => new TextEncoder().encode(text);
const inHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const random = () => crypto.getRandomValues(new Uint8Array(16));
const sha256 = async (text) => inHex(new Uint8Array(await crypto.subtle.digest('SHA-256', inUtf8(text))));
/** What of a key counts, however it is typed. */
const countedOf = (key) => key.replace(/[^!-~]|-/g, '').toUpperCase();
const keyHashOf = (key) => sha256(countedOf(key));
const inBase64Url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTime = (value) => Number.isSafeInteger(value) && value >= 0;
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

/** The token in the text of a licence file; an empty text where there is none. */
function tokenOfFile(text) {
  const content = text.trim();
  if (!content.startsWith(BEGIN) || !content.endsWith(END)) return '';
  return content.slice(BEGIN.length, -END.length).replace(/\s/g, '');
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

async function isSigned(content, signature, { x, y }) {
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

/** Whether a token may stand where it does: as the answer to a call, in a file, or as the last word that was kept. */
function isAnswerTo(role, { call, valid }) {
  if (role !== 'stored') return call === role;
  return call === 'activate' || call === 'heartbeat' || (call === 'validate' && valid !== true);
}

/**
 * Steps 1 to 11 of docs/offline.md, for every token. The role is the call that was made, 'stored' or 'file'. Returns
 * { claims } or { error }.
 */
async function readToken(token, role, { keys, software, machineId, keyHash }) {
  const [head, body, signature, ...more] = token.split('.');
  const header = partOf(head);
  if (signature === undefined || more.length > 0 || !header) return { error: 'malformed' };
  // The program decides the algorithm. A header that may choose it allows none, and HS256 with the public key.
  if (header.alg !== 'ES256') return { error: 'algorithm' };
  if (header.typ !== (role === 'file' ? 'license-file+jwt' : 'license+jwt')) return { error: 'type' };
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) return { error: 'unknown_key' };
  const bytes = bytesOf(signature);
  if (bytes?.length !== 64 || !(await isSigned(`${head}.${body}`, bytes, key))) return { error: 'signature' };
  const claims = partOf(body);
  if (!claims) return { error: 'malformed' };
  if (claims.aud !== software) return { error: 'audience' };
  if (claims.mid !== (await sha256(machineId))) return { error: 'machine' };
  // Without these a relay answers with the server's own words about another key, or about another call.
  if (keyHash !== ANY_KEY && claims.key_hash !== keyHash) return { error: 'key_hash' };
  if (!isAnswerTo(role, claims)) return { error: 'call' };
  if (claims.valid === true && claims.seat !== true) return { error: 'seat' };
  return { claims };
}

/**
 * What the program knows of the time (docs/offline.md, The clock). `least` is the mark with the time that was measured
 * since, null where there is no mark; `back` are the seconds that the clock was set back.
 */
function timeOf(store, mark, { clock, run, ticks }) {
  const isMeasured = store.run === run && store.ticks !== null && ticks >= store.ticks;
  const standsStill = !isMeasured && store.clock !== null && clock <= store.clock;
  const passed = isMeasured ? ticks - store.ticks : standsStill ? START_SECONDS : 0;
  const back = store.back + Math.max(0, (store.clock ?? clock) - clock);
  return { clock, least: mark === null ? null : mark + passed, back, leap: store.leap };
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

/** Milliseconds since 1970, as they stand in a token; null for anything else. */
const instantOf = (value) => {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
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
    updatesUntil: textOf(claims.updates_until) || null,
  };
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

const fileText = (path) => node.fs.readFile(path, 'utf8').catch(() => '');

const outputOf = (command, args) =>
  new Promise((resolve) => {
    const options = { encoding: 'utf8', timeout: 5000, windowsHide: true };
    node.child.execFile(command, args, options, (error, output) => resolve(error ? '' : output));
  });

/** The system's own id of this computer, never a network address; empty where none can be read. */
async function systemId() {
  if (process.platform === 'win32') {
    const path = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
    const output = await outputOf('reg', ['query', path, '/v', 'MachineGuid', '/reg:64']);
    return /MachineGuid\s+REG_SZ\s+(\S+)/.exec(output)?.[1] ?? '';
  }
  if (process.platform === 'darwin') {
    const output = await outputOf('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
    return /"IOPlatformUUID" = "([^"]+)"/.exec(output)?.[1] ?? '';
  }
  const ids = [await fileText('/etc/machine-id'), await fileText('/var/lib/dbus/machine-id')];
  return ids.map((id) => id.trim()).find((id) => id !== '' && id !== 'uninitialized') ?? '';
}

/** Names the counter of this page where the system has none that outlives it. */
const page = inHex(random());

/**
 * A counter of seconds that nobody sets: that of the system since it was started, in a browser that of the page. `run`
 * names it: numbers of one run can be compared. Linux has it in a file, which a faked clock of the process does not reach.
 */
async function systemTicks() {
  if (!node) return { run: page, ticks: Math.floor(performance.now() / 1000) };
  const boot = (await fileText('/proc/sys/kernel/random/boot_id')).trim();
  const uptime = Number.parseFloat(await fileText('/proc/uptime'));
  const isRead = boot !== '' && uptime >= 0;
  return { run: isRead ? boot : 'system', ticks: Math.floor(isRead ? uptime : node.os.uptime()) };
}

/** Keeps a text under a name: in a file, in a browser in localStorage. No method throws; write says whether it worked. */
const storage = {
  async read(name) {
    if (node) return fileText(name);
    try {
      return localStorage.getItem(name) ?? '';
    } catch {
      return '';
    }
  },
  async write(name, text) {
    const draft = `${name}.${inHex(random())}`;
    try {
      if (!node) localStorage.setItem(name, text);
      else {
        await node.fs.writeFile(draft, text);
        await node.fs.rename(draft, name);
      }
      return true;
    } catch {
      await node?.fs.rm(draft, { force: true }).catch(() => {});
      return false;
    }
  },
};

/** The licence of this program on this computer. */
export class License {
  #options;
  #machineId = null;
  /** What could not be written to the store. */
  #unwritten = null;
  #features = {};

  constructor({ timeout = 5, clock = () => Math.floor(Date.now() / 1000), ...options }) {
    const { server, software, keys, store, machineId } = options;
    if (!isAddress(server)) throw new TypeError('server: an address with https:// is needed');
    if (textOf(software).trim() === '') throw new TypeError('software: the code of the software is needed');
    if (!(timeout > 0)) throw new TypeError('timeout: seconds, more than 0');
    if (!store)
      throw new TypeError('store: the path of a file is needed, in a browser a name for localStorage');
    if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isPublicKey)) {
      throw new TypeError('keys: public keys of P-256 with kid, x and y are needed');
    }
    if (!node && !machineId) throw new TypeError('machineId: a browser has no id of its own');
    if (!crypto?.subtle) throw new TypeError('The browser allows cryptography only on a page under https');
    this.#options = { ...options, timeout, clock, server: server.replace(/([^/])\/{1,9}$/, '$1') };
  }

  /** Whether the program may run with this key; without one, by the licence file alone. Never throws. */
  async check(key) {
    const result = await this.#decide(String(key ?? '').trim());
    this.#features = result.features;
    return result;
  }

  /** Whether the last check was ok and the licence has this feature. */
  has(code) {
    return Object.hasOwn(this.#features, code) && this.#features[code] !== false;
  }

  /** Gives the seat of this computer back. True when the server said so. Never throws. */
  async release(key) {
    const program = await this.#programOf(String(key ?? '').trim());
    const { claims } = await this.#ask('release', {}, program);
    if (claims?.reason !== 'not_activated') return false;
    this.#features = {};
    await this.#write({ ...(await this.#read()), license: '', token: '' });
    return true;
  }

  /** The id of this computer for this software, which a licence file is issued for. */
  async machineId() {
    this.#machineId ??= await this.#findMachineId();
    return this.#machineId;
  }

  async #findMachineId() {
    const { machineId, software, store } = this.#options;
    if (machineId?.trim()) return machineId.trim();
    const own = await systemId();
    if (own) return sha256(`${own}\n${software}`);
    const kept = (await storage.read(`${store}.machine`)).trim();
    if (/^[0-9a-f]{32}$/.test(kept)) return kept;
    const made = inHex(random());
    await storage.write(`${store}.machine`, made);
    return made;
  }

  async #decide(key) {
    const program = await this.#programOf(key);
    if (key === '') return this.#decideByFile(program);
    const { token, claims, problem } = await this.#askServer(program);
    if (!claims) return this.#decideOffline(program, problem);
    const fromNow = { back: 0, leap: 0, issued: claims.iat, ...(await this.#timesNow()) };
    await this.#write({ license: program.keyHash, token, mark: claims.iat, ...fromNow });
    return resultOf(claims, claims.iat, false);
  }

  /** Without a key: that of the file. The server cannot be asked. */
  async #decideByFile(program) {
    const { claims } = await readToken(await this.#fileToken(), 'file', { ...program, keyHash: ANY_KEY });
    if (!claims) return refusal('not_found', false);
    return this.#decideOffline({ ...program, keyHash: claims.key_hash }, 'not_found');
  }

  /** What tokens are judged by. */
  async #programOf(licenseKey) {
    const keyHash = await keyHashOf(licenseKey);
    return { ...this.#options, machineId: await this.machineId(), licenseKey, keyHash };
  }

  /** Steps 2 to 5 of ../README.md. Returns the verdict, or a problem: no_connection or unverified. */
  async #askServer(program) {
    const about = { app_version: this.#options.appVersion, os: systemName() };
    const first = await this.#ask('validate', { require_seat: true }, program);
    if (first.claims?.reason === 'not_activated') {
      const machine_name = this.#options.machineName ?? node?.os.hostname().slice(0, 200);
      return this.#ask('activate', { ...about, machine_name }, program);
    }
    return first.claims?.valid ? this.#ask('heartbeat', about, program) : first;
  }

  async #ask(call, fields, program) {
    const nonce = inBase64Url(random());
    const { licenseKey: license_key, machineId: machine_id, software } = program;
    const asked = { license_key, machine_id, software, ...fields, nonce };
    const answer = await this.#post(PATHS[call], asked);
    if (answer === null) return { problem: 'no_connection' };
    const token = textOf(answer.body?.token);
    const { claims } = await readToken(token, call, program);
    if (claims?.nonce === nonce) return { token, claims };
    return { problem: answer.status === 429 || answer.status >= 500 ? 'no_connection' : 'unverified' };
  }

  /** Returns the status and the JSON object of an answer, or null without an answer. */
  async #post(path, fields) {
    try {
      const response = await fetch(this.#options.server + path, {
        method: 'POST',
        // A browser says its own.
        headers: { 'content-type': 'application/json', ...(node && { 'user-agent': USER_AGENT }) },
        body: JSON.stringify(fields),
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(this.#options.timeout * 1000),
      });
      return { status: response.status, body: objectOf(await bodyOf(response)) };
    } catch {
      return null;
    }
  }

  /** The clock of the computer, and the counter that nobody sets. */
  async #timesNow() {
    const { clock, uptime } = this.#options;
    const counter = uptime ? { run: 'given', ticks: Math.floor(uptime()) } : await systemTicks();
    return { clock: Math.floor(clock()), ...counter };
  }

  /** Step 7 and 8: the kept verdict and the file, judged by the later of clock and mark. */
  async #decideOffline(program, problem) {
    const store = await this.#read();
    // After the store, so that another process that writes it cannot make this clock look set back.
    const times = await this.#timesNow();
    const kept = await readToken(store.token, 'stored', program);
    const file = await readToken(await this.#fileToken(), 'file', program);
    const marks = [store.mark, kept.claims?.iat].filter(isTime);
    const verdicts = [];
    if (kept.claims && store.license === program.keyHash)
      verdicts.push({ claims: kept.claims, isKept: true });
    if (file.claims) verdicts.push({ claims: file.claims });

    const byClock = timeOf(store, marks.length > 0 ? Math.max(...marks) : null, times);
    const time = timeByFile(file.claims, store, byClock);
    const errors = [];
    let best = null;
    let now = null;
    for (const { claims, isKept } of verdicts) {
      const judged = judgeTime(claims, time);
      now ??= judged.now ?? null;
      const isLastingRefusal = isKept && !claims.valid && judged.error === 'expired';
      if (judged.error && !isLastingRefusal) errors.push(judged.error);
      else if (best === null || claims.iat > best.iat) best = claims;
    }
    if (now !== null) {
      const known = timeAfter(store, time, now, best, verdicts[0].claims);
      await this.#write({ ...store, ...times, ...known });
    }
    if (best) return resultOf(best, now, true);
    return errors.length > 0 ? refusal(REASONS_OFFLINE[errors[0]], true) : refusal(problem, false);
  }

  /** The token of the licence file. In a browser `file` is the text of the file itself. */
  async #fileToken() {
    const { file } = this.#options;
    if (!file) return '';
    return tokenOfFile(node ? await fileText(file) : file);
  }

  async #read() {
    const content = this.#unwritten ?? objectOf(await storage.read(this.#options.store)) ?? {};
    const time = (name, absent = null) => (isTime(content[name]) ? content[name] : absent);
    return {
      ...{ license: textOf(content.license), token: textOf(content.token), mark: time('mark') },
      ...{ clock: time('clock'), back: time('back', 0), leap: time('leap', 0), issued: time('issued') },
      ...{ run: textOf(content.run), ticks: time('ticks') },
    };
  }

  async #write(content) {
    const isWritten = await storage.write(this.#options.store, JSON.stringify(content));
    this.#unwritten = isWritten ? null : content;
  }
}

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
  return name.slice(0, 100);
}
