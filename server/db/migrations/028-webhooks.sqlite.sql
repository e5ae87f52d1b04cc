create table webhooks (
  id integer primary key autoincrement,
  url text not null,
  -- JSON: the types of its events, with wildcards
  types text not null,
  description text not null,
  is_active integer not null,
  disabled_reason text,
  disabled_at text,
  -- Encrypted under SECRET_KEY, both
  secret text not null,
  old_secret text,
  old_secret_until text,
  failures integer not null default 0,
  failing_since text,
  next_attempt_at text,
  created_at text not null,
  updated_at text not null
);

-- Without a reference to webhooks: the transaction of an event takes no lock on their rows (docs/decisions/048-webhooks.md)
create table webhook_deliveries (
  id integer primary key autoincrement,
  webhook_id integer not null,
  message_id text not null,
  event_id integer,
  type text not null,
  body text not null,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  due_at text,
  created_at text not null,
  finished_at text
);

create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, event_id) where status = 'waiting';

create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id);

create index webhook_deliveries_failed on webhook_deliveries (webhook_id, id) where status = 'failed';

create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;

create table webhook_attempts (
  id integer primary key autoincrement,
  delivery_id integer not null references webhook_deliveries (id) on delete cascade,
  at text not null,
  duration_ms integer not null,
  status integer,
  problem text,
  answer text,
  by_hand integer not null
);

create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, id);
