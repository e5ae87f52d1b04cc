-- When a mail last changed, for updated_since. Null in mail of the versions without it: rewriting every row with its
-- content would take minutes
alter table outbox add column changed_at timestamptz(3);

create index outbox_by_change on outbox (coalesce(changed_at, sent_at, created_at), id);
