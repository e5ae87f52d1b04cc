create table webhooks (
  id bigint generated always as identity primary key,
  url text not null,
  -- JSON: the types of its events, with wildcards
  types text not null,
  description text not null,
  is_active boolean not null,
  disabled_reason text,
  disabled_at timestamptz(3),
  -- Encrypted under SECRET_KEY, both
  secret text not null,
  old_secret text,
  old_secret_until timestamptz(3),
  failures integer not null default 0,
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Without a reference to webhooks: the transaction of an event takes no lock on their rows (docs/decisions/048-webhooks.md)
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null,
  message_id text not null,
  event_id bigint,
  type text not null,
  body text not null,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);

create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, event_id) where status = 'waiting';

create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id);

create index webhook_deliveries_failed on webhook_deliveries (webhook_id, id) where status = 'failed';

create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_deliveries (id) on delete cascade,
  at timestamptz(3) not null,
  duration_ms integer not null,
  status integer,
  problem text,
  answer text,
  by_hand boolean not null
);

create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, id);
