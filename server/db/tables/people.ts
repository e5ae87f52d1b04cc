import type { Generated } from 'kysely';
import type { Role } from '../../../contract/people/permissions.ts';

export type UsersTable = {
  id: Generated<number>;
  username: string;
  /** The name in lower case, unique: names that differ only in case are the same name. */
  username_key: string;
  password_hash: string;
  /** Whether the password is known not to do for an administrator; a sign-in looks at it again. */
  weak_for_admin: Generated<boolean>;
  names: string;
  last_name: string;
  email: string;
  is_active: boolean;
  role: Generated<Role>;
  /** When the person last signed in; null before the first time. */
  last_sign_in_at: Generated<string | null>;
  /**
   * The secret of the second factor, encrypted with SECRET_KEY. The factor is required once `mfa_enabled_at` is set.
   */
  mfa_secret: Generated<string | null>;
  mfa_enabled_at: Generated<string | null>;
  /** The time step of the last accepted code, so that each code works once. */
  mfa_last_step: Generated<number>;
  /** The identity with which the person signs in (SIGN-02); both null without one. */
  oidc_issuer: Generated<string | null>;
  oidc_subject: Generated<string | null>;
  oidc_linked_at: Generated<string | null>;
  created_at: string;
  /** Whether the user wants the weekly digest (LIFE-09). */
  weekly_digest: Generated<boolean>;
  /** The Monday of the last week whose digest has been sent or skipped. */
  digest_week: Generated<string | null>;
  updated_at: Generated<string>;
};

/** The unused recovery codes of users, as SHA-256 hashes; a used code is deleted. */
type RecoveryCodesTable = { user_id: number; hash: string };

/** One-time links in mails, as SHA-256 hashes; a used one is deleted (PEOPLE-03, PEOPLE-04). */
export type UserLinksTable = {
  hash: string;
  /** Null for the link that creates the first administrator. */
  user_id: number | null;
  kind: 'invitation' | 'password_reset' | 'first_admin' | 'sign_in';
  created_at: string;
  expires_at: string;
};

/** Sign-ins that wait for their second factor, as SHA-256 hashes of their tokens (PEOPLE-05). */
type MfaChallengesTable = {
  hash: string;
  user_id: number;
  expires_at: string;
  opened_by: Generated<WayIn>;
  /** The role that OIDC_ROLE_CLAIM gives with this sign-in; null: it stays. */
  role: Generated<Role | null>;
};

/** What the issuer said of somebody, for the token of a callback (SIGN-02). */
type OidcTokensTable = {
  hash: string;
  /** SHA-256 of the cookie of the start, so that only this browser can use the token. */
  browser_hash: string;
  issuer: string;
  subject: string;
  /** JSON. */
  claims: string;
  expires_at: string;
};

/** Passkeys (SIGN-01). Ids, keys and handles are base64url. */
export type PasskeysTable = {
  id: Generated<number>;
  user_id: number;
  name: string;
  credential_id: string;
  /** COSE. */
  public_key: string;
  /** What the authenticator counted at its last use; 0 where it does not count. */
  counter: number;
  /** How the browser reached the authenticator, joined by commas; '' if it did not say. */
  transports: string;
  /** What the authenticator calls the user. Each of its responses must name it. */
  user_handle: string;
  rp_id: string;
  synced: boolean;
  created_at: string;
  last_used_at: string | null;
};

/** Challenges that were used, as SHA-256 hashes, until they would have ended. Open ones are stored nowhere. */
type UsedChallengesTable = { hash: string; expires_at: string };

/** The ways in that open a session. */
export type WayIn = 'password' | 'passkey' | 'oidc' | 'link';

/** At most one row: a text that a process must be able to decrypt with its SECRET_KEY. */
type SecretProofTable = { id: number; proof: string };

/** API keys for the vendor's programs, as SHA-256 hashes (PEOPLE-07). */
export type ApiKeysTable = {
  id: Generated<number>;
  name: string;
  hash: string;
  last_four: string;
  /** JSON: the names of its permissions. */
  permissions: string;
  /** The user who made the key. The key has no permission that this user lacks at the moment of a call. */
  user_id: number;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /**
   * When the mail about its coming end was queued. Also set when the key was replaced, because then no such mail is
   * needed.
   */
  warned_at: string | null;
};

/** One sign-in with its tokens. Ending the session ends all of them (D007, D008). */
type SessionsTable = {
  id: Generated<number>;
  user_id: number;
  created_at: string;
  /** Twelve hours after the sign-in; a refresh does not change it. */
  expires_at: string;
  /** Set at the sign-in and at each renewal of the tokens. */
  last_used_at: Generated<string | null>;
  /** When the person last entered a password or a code in this session (PEOPLE-05). */
  confirmed_at: Generated<string | null>;
  ip: Generated<string | null>;
  user_agent: Generated<string | null>;
  /** The way in that opened the session (SIGN-01, SIGN-02). */
  opened_by: Generated<WayIn>;
  /** Whether that way in counts as both factors, so that `require_mfa` asks for no other in this session. */
  mfa_met: Generated<boolean>;
  /** The passkey that opened the session; null for every other way in. */
  passkey_id: Generated<number | null>;
  /** When the session was ended; a trigger sets it when the user is deactivated. */
  revoked_at: string | null;
};

type TokensTable = {
  /** SHA-256 of the token, hexadecimal; the token itself is stored nowhere. */
  hash: string;
  session_id: number;
  kind: 'access' | 'refresh';
  expires_at: string;
  /** When a refresh token was exchanged; null for access tokens. */
  used_at: string | null;
  /**
   * The hash of the refresh token that was exchanged for this one; null for the first of a session and for access
   * tokens.
   */
  parent: string | null;
};

/** Counters of failures, shared by all replicas. A row is valid until `window_ends_at`. */
type ThrottlesTable = {
  key: string;
  count: number;
  window_ends_at: string;
  /** The number of attempts in progress; ignored after `under_way_until`, because their process must have died. */
  under_way: Generated<number>;
  under_way_until: string | null;
  /** How often the limit was reached, valid until `level_until`: each time the next wait is longer. */
  level: Generated<number>;
  level_until: Generated<string | null>;
};

export type PeopleTables = {
  users: UsersTable;
  sessions: SessionsTable;
  tokens: TokensTable;
  recovery_codes: RecoveryCodesTable;
  user_links: UserLinksTable;
  mfa_challenges: MfaChallengesTable;
  oidc_tokens: OidcTokensTable;
  passkeys: PasskeysTable;
  used_challenges: UsedChallengesTable;
  api_keys: ApiKeysTable;
  secret_proof: SecretProofTable;
  throttles: ThrottlesTable;
};
