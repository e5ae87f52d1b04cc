import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * The checks that a program makes on a token, written only from docs/offline.md: the reference for sdk/vectors.json.
 * It imports nothing of the server.
 */

export type Jwk = { kid: string; [name: string]: unknown };

export type ProgramError =
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
  | 'nonce'
  | 'clock_back'
  | 'future'
  | 'expired';

/** The data of the program; times are seconds since 1970. */
export type Program = {
  keys: readonly Jwk[];
  audience: string;
  machine_id: string;
  /** The key as typed. */
  license_key: string;
  /** The release day of the program's build. */
  released_on?: string;
  clock: number;
  /** The latest time that the program has seen; null before the first run. */
  mark: number | null;
};

export type Verdict =
  | { accepted: true; valid: boolean; reason: string | null; mark: number }
  | { accepted: false; error: ProgramError };

const AHEAD_SECONDS = 5 * 60;
const BACK_SECONDS = 24 * 60 * 60;
const SIGNATURE_BYTES = 64;

const refuse = (error: ProgramError): Verdict => ({ accepted: false, error });

function readPart(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined || !/^[\w-]+$/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Steps 1 to 11: the checks for every token. */
function readSigned(
  token: string,
  { keys, audience, machine_id, license_key, released_on = '' }: Program,
  typ: string,
  isRightCall: (call: unknown, valid: boolean) => boolean,
) {
  const parts = token.split('.');
  const [head, body, signature] = parts;
  const header = readPart(head);
  if (parts.length !== 3 || header === null) return refuse('malformed');
  if (header.alg !== 'ES256') return refuse('algorithm');
  if (header.typ !== typ) return refuse('type');
  const key = keys.find(({ kid }) => kid === header.kid);
  if (key === undefined) return refuse('unknown_key');
  const bytes = Buffer.from(signature ?? '', 'base64url');
  const isSigned =
    bytes.length === SIGNATURE_BYTES &&
    // Checked explicitly, because Node's decoder ignores invalid characters.
    /^[\w-]+$/.test(signature ?? '') &&
    verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      bytes,
    );
  if (!isSigned) return refuse('signature');
  const claims = readPart(body);
  if (claims === null) return refuse('malformed');
  if (claims.aud !== audience) return refuse('audience');
  if (claims.mid !== sha256(machine_id)) return refuse('machine');
  if (claims.key_hash !== sha256(license_key.replace(/[^!-~]|-/g, '').toUpperCase()))
    return refuse('key_hash');
  if (!isRightCall(claims.call, claims.valid === true)) return refuse('call');
  if (claims.valid === true && claims.seat !== true) return refuse('seat');
  const until = claims.updates_until;
  const isLater = typeof until === 'string' && released_on > until;
  return claims.valid === true && isLater ? { ...claims, valid: false, reason: 'updates_ended' } : claims;
}

const isVerdict = (value: object): value is Verdict => 'accepted' in value;
const answerOf = (claims: Record<string, unknown>, mark: number): Verdict => ({
  accepted: true,
  valid: claims.valid === true,
  reason: claims.reason as string | null,
  mark,
});

/** Checks the answer to a call that was just made with this nonce. */
export function checkFresh(
  token: string,
  asked: { call: 'validate' | 'activate' | 'heartbeat' | 'release'; nonce: string },
  program: Program,
): Verdict {
  const claims = readSigned(token, program, 'license+jwt', (call) => call === asked.call);
  if (isVerdict(claims)) return claims;
  if (claims.nonce !== asked.nonce) return refuse('nonce');
  return answerOf(claims, Number(claims.iat));
}

/**
 * Checks a token that the program stored: the last answer of the server. A validation is stored only if it is a
 * refusal.
 */
export function checkStored(token: string, program: Program): Verdict {
  const isLastWord = (call: unknown, valid: boolean) =>
    call === 'activate' || call === 'heartbeat' || (call === 'validate' && !valid);
  return checkTime(readSigned(token, program, 'license+jwt', isLastWord), program);
}

/** Steps 12 to 14, for a token that is not the answer to a call just made. */
function checkTime(claims: ReturnType<typeof readSigned>, program: Program): Verdict {
  if (isVerdict(claims)) return claims;
  const { clock } = program;
  const mark = program.mark ?? clock;
  if (clock < mark - BACK_SECONDS) return refuse('clock_back');
  const now = Math.max(clock, mark);
  if (Number(claims.iat) > now + AHEAD_SECONDS) return refuse('future');
  if (now >= Number(claims.exp)) return refuse('expired');
  return answerOf(claims, now);
}

/** Checks a license file. */
export function checkFile(text: string, program: Program): Verdict {
  const form = /-----BEGIN LICENSE FILE-----([\s\S]*?)-----END LICENSE FILE-----/;
  const content = form.exec(text)?.[1];
  if (content === undefined) return refuse('malformed');
  const token = content.replace(/\s/g, '');
  const claims = readSigned(token, program, 'license-file+jwt', (call) => call === 'file');
  return checkTime(claims, program);
}
