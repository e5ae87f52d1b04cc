-- Who signs in with OpenID Connect (SIGN-02): an identity is an issuer and its subject, never a mail address.
alter table users add column oidc_issuer text;

alter table users add column oidc_subject text;

alter table users add column oidc_linked_at timestamptz(3);

create unique index users_by_identity on users (oidc_issuer, oidc_subject);

-- What the issuer said of somebody who came back from it, as SHA-256 hash of a token that holds for a minute, once, in the
-- browser that went there.
create table oidc_tokens (
  hash text primary key,
  browser_hash text not null,
  issuer text not null,
  subject text not null,
  -- JSON: mail, names, role, and how and when the person proved who they are.
  claims text not null,
  expires_at timestamptz(3) not null
);

create index oidc_tokens_by_expiry on oidc_tokens (expires_at);

-- A sign-in that waits for its second factor: the way in that began it, and the role that the issuer gave.
alter table mfa_challenges add column opened_by text not null default 'password';

alter table mfa_challenges add column role text;
