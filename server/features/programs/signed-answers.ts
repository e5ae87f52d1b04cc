import type { ErrorBody, ErrorCode } from '../../../contract/base/errors.ts';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import type { Refusal } from '../../../contract/licenses/license-state.ts';
import type { MeterState } from '../../../contract/licenses/meters.ts';
import { INSTALLATION_MESSAGES } from '../../../contract/programs/installations.ts';
import type { TokenCall, TokenUse } from '../../../contract/programs/license-token.ts';
import type { AppContext } from '../../context.ts';
import { AppError, fault } from '../../errors.ts';
import { type AnsweredLicense, metersPart } from '../../rules/license-meters.ts';
import { audienceOf } from '../software/asked-software.ts';
import type { CheckedLicense } from './checks/collect-checks.ts';
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

/** The verdict about a call, which a token repeats. */
type Verdict = {
  /** Null for an unknown key, and where the program cannot want a token. */
  license: TokenLicense | null;
  reason: Refusal | null;
  /** Whether the machine has a seat; without one the program may not store a valid answer. */
  hasSeat: boolean;
  /** The end of a floating seat's lease, which is also the token's end; null or absent for a fixed seat. */
  leaseUntil?: string | null;
  /** What became of reported records (CODE-01). */
  uses?: TokenUse[];
};

/** The licence that a call found: what 'Actividad' notes of it, and its meters. */
type FoundLicense = CheckedLicense & AnsweredLicense;

/** What was decided about a call, and the licence that it found: null for an unknown key. */
export type Decided = { verdict: Verdict; checked: FoundLicense | null };

/** A call that was not refused, or whose refusal is an answer, as in a validation. */
export type Answered<Answer> = Decided & { answer: Answer };

type Signing = Pick<AppContext, 'db' | 'secrets' | 'now' | 'config'>;

/**
 * What an answer to a program says beside its own fields: the meters of a licence that has some (CODE-01), and the
 * token where the program sent a nonce (PROG-01). Other licences and programs cost nothing.
 * @returns a part of the answer's body
 */
export async function answeredPart(
  context: Signing,
  call: ProgramCall,
  asked: AskedByProgram,
  { verdict, checked }: Decided,
): Promise<{ meters?: MeterState[]; token?: string }> {
  const { db, now, config } = context;
  const metered = await metersPart(db, checked, { now: now(), timeZone: config.timeZone });
  return { ...metered, ...(await signedPart(context, call, asked, verdict, metered)) };
}

/**
 * The token of a refusal that is an error, where the program sent a nonce.
 * @returns a part of the error's body
 */
export async function refusedPart(
  context: Signing,
  call: ProgramCall,
  asked: AskedByProgram,
  refusal: Decided,
): Promise<{ token?: string }> {
  if (asked.nonce === undefined) return {};
  const { token } = await answeredPart(context, call, asked, refusal);
  return token === undefined ? {} : { token };
}

async function signedPart(
  { db, secrets, now, config }: Signing,
  call: ProgramCall,
  { license_key, machine_id, nonce, software }: AskedByProgram,
  { license, reason, hasSeat, leaseUntil = null, uses }: Verdict,
  { meters }: { meters?: MeterState[] },
): Promise<{ token?: string }> {
  if (nonce === undefined) return {};
  const isAsked = license === null || reason === 'wrong_software';
  const audience = isAsked ? await audienceOf(db, software) : license.software_code;
  const days = license?.offline_days ?? 0;
  const claims = licenseClaims(
    {
      call,
      license_key,
      machine_id,
      nonce,
      license,
      reason,
      audience,
      hasSeat,
      days,
      leaseUntil,
      meters,
      uses,
    },
    { issuer: config.publicUrl, now: now(), timeZone: config.timeZone },
  );
  const { token } = await signToken(db, secrets, claims);
  return { token };
}

type Details = {
  message?: string;
  errors?: FieldFaults;
  seatFreeAt?: string;
  headers?: Record<string, string>;
};

/** The error that each refusal is, in calls whose answer is not the verdict itself. */
const ERRORS: Record<Refusal, readonly [status: number, code: ErrorCode, details?: Details]> = {
  not_found: [404, 'license_not_found'],
  wrong_software: [403, 'wrong_software'],
  inactive: [403, 'inactive'],
  suspended: [403, 'suspended'],
  cancelled: [403, 'cancelled'],
  expired: [403, 'expired'],
  updates_ended: [403, 'updates_ended'],
  installation_limit: [
    409,
    'installation_limit',
    { errors: { license_key: [fault('not_allowed', INSTALLATION_MESSAGES.limit)] } },
  ],
  not_activated: [404, 'not_found', { message: INSTALLATION_MESSAGES.notFound }],
};

/** A refusal that is a verdict about the licence and can be signed. An outage or a reached limit is not. */
export class ProgramRefusal extends AppError implements Decided {
  readonly verdict: Verdict;
  readonly checked: FoundLicense | null;
  /** The signed refusal, for a program that sent a nonce. */
  token: { token?: string } = {};

  /**
   * @param license null for an unknown key, and in calls without signed answers
   * @param checked the licence that was found, if it is not `license`
   * @param more further parts of the answer, which are not signed
   */
  constructor(
    reason: Refusal,
    license: (TokenLicense & FoundLicense) | null,
    checked: FoundLicense | null = license,
    more: Details = {},
  ) {
    const [status, code, details] = ERRORS[reason];
    super(status, code, { ...details, ...more });
    this.verdict = { license, reason, hasSeat: false };
    this.checked = checked;
  }

  override toBody(): ErrorBody {
    return { ...super.toBody(), ...this.token };
  }
}
