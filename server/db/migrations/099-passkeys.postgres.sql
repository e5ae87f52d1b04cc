-- Passkeys, a way to sign in beside the password (SIGN-01). Ids, keys and handles are base64url.
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references "users" (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key text not null,
  -- What the authenticator counted at its last use; 0 where it does not count.
  counter bigint not null,
  -- How the browser reached it, joined by commas; '' if it did not say.
  transports text not null,
  user_handle text not null,
  rp_id text not null,
  synced boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);

create index passkeys_by_user on passkeys (user_id);

-- Challenges that were used, as SHA-256 hashes, until they would have ended. Open ones are stored nowhere: they prove themselves.
create table used_challenges (
  hash text primary key,
  expires_at timestamptz(3) not null
);

create index used_challenges_by_expiry on used_challenges (expires_at);

-- How a session was opened, and whether that counts as both factors. What a version before opens is of a password.
alter table sessions add column opened_by text not null default 'password';

alter table sessions add column mfa_met boolean not null default false;

-- The passkey that opened it. Not a foreign key: a session outlives the row, and is ended when the passkey is removed.
alter table sessions add column passkey_id bigint;
