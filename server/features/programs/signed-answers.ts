import type { ErrorBody, ErrorCode } from '../../../contract/base/errors.ts';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { INSTALLATION_MESSAGES } from '../../../contract/programs/installations.ts';
import type { TokenCall, TokenReason } from '../../../contract/programs/license-token.ts';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { audienceOf } from '../software/asked-software.ts';
import type { CheckedLicense } from './checks/note-check.ts';
import { licenseClaims, type TokenLicense } from './signing/license-claims.ts';
import { signToken } from './signing/sign-token.ts';

/** The fields of a program's call that its signed answer contains. */
export type AskedByProgram = {
  license_key: string;
  machine_id: string;
  nonce?: string | undefined;
  software?: string | undefined;
};

export type ProgramCall = Exclude<TokenCall, 'file'>;

/** The verdict in a token. */
type SignedVerdict = {
  /** Null for an unknown key. */
  license: TokenLicense | null;
  reason: TokenReason | null;
  /** Whether the machine has a seat; without one the program may not store a valid answer. */
  hasSeat: boolean;
  /** The end of a floating seat's lease, which is also the token's end; null or absent for a fixed seat. */
  leaseUntil?: string | null;
};

type Signing = Pick<AppContext, 'db' | 'secrets' | 'now' | 'config'>;

/**
 * The token of an answer to a program that sent a nonce (PROG-01); empty for other programs, which cost nothing.
 * @returns a part of the answer's body
 */
export async function signedPart(
  { db, secrets, now, config }: Signing,
  call: ProgramCall,
  asked: AskedByProgram,
  { license, reason, hasSeat, leaseUntil = null }: SignedVerdict,
): Promise<{ token?: string }> {
  const { license_key, machine_id, nonce, software } = asked;
  if (nonce === undefined) return {};
  const isAsked = license === null || reason === 'wrong_software';
  const audience = isAsked ? await audienceOf(db, software) : license.software_code;
  const days = license?.offline_days ?? 0;
  const claims = licenseClaims(
    { call, license_key, machine_id, nonce, license, reason, audience, hasSeat, days, leaseUntil },
    { issuer: config.publicUrl, now: now(), timeZone: config.timeZone },
  );
  const { token } = await signToken(db, secrets, claims);
  return { token };
}

/** A refusal that is a verdict about the licence and can be signed. An outage or a reached limit is not. */
export class ProgramRefusal extends AppError {
  readonly verdict: SignedVerdict;
  /** The refused licence; null for an unknown key. */
  readonly checked: CheckedLicense | null;
  #token: { token?: string } = {};

  constructor(
    status: number,
    code: ErrorCode,
    verdict: { license: (TokenLicense & CheckedLicense) | null; reason: TokenReason },
    {
      checked = verdict.license,
      ...details
    }: { message?: string; errors?: FieldFaults; checked?: CheckedLicense | null } = {},
  ) {
    super(status, code, details);
    this.verdict = { ...verdict, hasSeat: false };
    this.checked = checked;
  }

  /** Adds the token for the refused program. */
  async sign(context: Signing, call: ProgramCall, asked: AskedByProgram): Promise<void> {
    this.#token = await signedPart(context, call, asked, this.verdict);
  }

  override toBody(): ErrorBody {
    return { ...super.toBody(), ...this.#token };
  }
}

/** No licence has the key of the call. */
export const unknownKey = () =>
  new ProgramRefusal(404, 'license_not_found', { license: null, reason: 'not_found' });

/**
 * The machine of the call has no seat, or its lease has ended.
 * @param license null if no signed answer is wanted
 */
export const noSeat = (
  license: (TokenLicense & CheckedLicense) | null,
  checked: CheckedLicense | null = license,
) =>
  new ProgramRefusal(
    404,
    'not_found',
    { license, reason: 'not_activated' },
    { message: INSTALLATION_MESSAGES.notFound, checked },
  );
