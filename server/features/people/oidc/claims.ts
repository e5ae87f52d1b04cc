import { registration } from '../../../../contract/people/auth.ts';
import { ROLES, type Role } from '../../../../contract/people/permissions.ts';
import { isMailAddress } from '../../../../contract/reading/mail-addresses.ts';

/** What the issuer says of a person, as far as this server uses it. */

export type Claims = {
  /** The mail address that the issuer has verified; null without one. */
  email: string | null;
  names: string;
  last_name: string;
  /** The highest known role of OIDC_ROLE_CLAIM; null without the claim, or with unknown roles only. */
  role: Role | null;
  /** Whether the person proved two factors at the issuer. */
  isStrong: boolean;
  /** When the person proved who they are; null where the issuer does not say. */
  authTime: string | null;
  /** Whether that was after the start, of a start that asked for it. */
  isFresh: boolean;
};

export type Said = Readonly<Record<string, unknown>>;

/** RFC 8176: what says that more than a password was asked for. */
const STRONG = ['mfa', 'otp', 'hwk'];

export const isStrong = ({ amr }: Said): boolean =>
  Array.isArray(amr) && amr.some((method) => STRONG.includes(method));

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * Only `true` itself: an issuer that writes 'true' has not said that it checked. And only an address that an invitation
 * can have: other letters before the at sign become plain ones in lower case (U+212A becomes k), and would name
 * somebody else.
 */
export const verifiedMail = ({ email, email_verified }: Said): string | null =>
  email_verified === true && isMailAddress(textOf(email)) ? textOf(email) : null;

/** The roles from the highest to the lowest. */
const BY_RANK: readonly Role[] = ROLES;

/** A role's name, or a list of them, of which the highest counts. */
export function roleOf(claim: unknown): Role | null {
  const said = [claim].flat();
  return BY_RANK.find((role) => said.includes(role)) ?? null;
}

/** A name that our own forms would take, else ''. */
const nameOf = (value: unknown): string => {
  const read = registration.shape.names.safeParse(textOf(value).slice(0, 100));
  return read.success ? read.data : '';
};

export function namesOf({ given_name, family_name, name }: Said): Pick<Claims, 'names' | 'last_name'> {
  const given = nameOf(given_name);
  return given === ''
    ? { names: nameOf(name), last_name: '' }
    : { names: given, last_name: nameOf(family_name) };
}
