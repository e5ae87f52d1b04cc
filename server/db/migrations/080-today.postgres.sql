-- What staff marked in 'Para hoy', for everybody (DESK-01). The rows themselves are what the other tables say now.
create table today_marks (
  kind text not null,
  record bigint not null,
  fact text not null,
  -- The local day on which the row comes back; null if it is done.
  until text,
  marked_at timestamptz(3) not null,
  primary key (kind, record, fact)
);

create index today_marks_by_time on today_marks (marked_at);

-- Programs that were refused although their licence holds, by day. A later refusal of the same day changes no entry.
create index license_checks_refused on license_checks (day, license_id)
  where reason in ('installation_limit', 'wrong_software', 'updates_ended');

-- Trials by their category whose status is that of a sale, among all that end then.
create index licenses_trials_by_end on licenses (status, expiry_date) where license_type = 'trial';

-- What clients asked for in the portal, among all events.
create index events_requested on events (type, at, id) where type = 'client.requested';
