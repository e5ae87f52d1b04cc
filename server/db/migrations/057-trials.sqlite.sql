-- Trials without an account (SELL-04): the offer of a software, the client for trials without a known email address,
-- and the machines that had a trial.
alter table software add column trial_type_id integer references license_types (id) on delete set null;

alter table software add column trial_email text not null default 'no';

alter table software add column trial_daily_limit integer not null default 200;

create index software_by_trial_type on software (trial_type_id) where trial_type_id is not null;

alter table clients add column is_system integer not null default 0;

create unique index clients_of_system on clients (is_system) where is_system = true;

-- The email address that somebody entered for a trial, if another client has it.
alter table licenses add column trial_email text;

create index licenses_by_trial_email on licenses (lower(trial_email)) where trial_email is not null;

create table trials (
  code text not null,
  machine_id text not null,
  license_id integer not null references licenses (id) on delete cascade,
  primary key (code, machine_id)
) without rowid;

create index trials_by_license on trials (license_id);

-- A term that nobody paid for is no revenue, even if its licence is sold later.
alter table license_terms add column is_free integer not null default 0;

drop trigger license_terms_follow;

create trigger license_terms_follow after update of status, software_id on licenses
  when old.software_id <> new.software_id or (old.status = 'cancelled') <> (new.status = 'cancelled') begin
  update license_terms set software_id = new.software_id, is_counted = new.status <> 'cancelled' and not is_free and not is_test
  where license_id = new.id; end;
