alter table users add column role text not null default 'admin';

alter table users add column updated_at text not null default '1970-01-01T00:00:00.000Z';

alter table users add column last_sign_in_at text;

-- The secret of the second factor, encrypted under SECRET_KEY; it counts once mfa_enabled_at is set
alter table users add column mfa_secret text;

alter table users add column mfa_enabled_at text;

-- The time step of the last accepted code: each code works once
alter table users add column mfa_last_step integer not null default 0;

update users set updated_at = created_at;

create index users_by_email on users (lower(email));

create table recovery_codes (
  user_id integer not null references "users" (id) on delete cascade,
  hash text not null,
  primary key (user_id, hash)
);

create table user_links (
  hash text primary key,
  user_id integer references "users" (id) on delete cascade,
  kind text not null,
  created_at text not null,
  expires_at text not null
);

create index user_links_by_user on user_links (user_id);

create index user_links_by_expiry on user_links (expires_at);

create table mfa_challenges (
  hash text primary key,
  user_id integer not null references "users" (id) on delete cascade,
  expires_at text not null
);

create index mfa_challenges_by_expiry on mfa_challenges (expires_at);

create index mfa_challenges_by_user on mfa_challenges (user_id);

alter table sessions add column last_used_at text;

alter table sessions add column ip text;

alter table sessions add column user_agent text;

-- When the person last gave a password or a code
alter table sessions add column confirmed_at text;

update sessions set last_used_at = created_at, confirmed_at = created_at;

create table api_keys (
  id integer primary key autoincrement,
  name text not null,
  hash text not null unique,
  last_four text not null,
  permissions text not null,
  user_id integer not null references "users" (id) on delete cascade,
  created_at text not null,
  expires_at text not null,
  last_used_at text,
  revoked_at text,
  warned_at text
);

create index api_keys_by_user on api_keys (user_id);

create index api_keys_by_expiry on api_keys (expires_at);

-- What a process must be able to decrypt with its SECRET_KEY
create table secret_proof (
  id integer primary key check (id = 1),
  proof text not null
);

-- How often a limit was reached lately: each time the wait is longer
alter table throttles add column level integer not null default 0;

alter table throttles add column level_until text;
