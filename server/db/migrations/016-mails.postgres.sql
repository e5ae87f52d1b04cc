create table mail_templates (
  kind text primary key,
  subject text not null,
  body text not null,
  updated_at timestamptz(3) not null
);

alter table outbox add column kind text not null default 'license_issued';

-- Mail of the versions without kinds is told apart by its subject
update outbox set kind = case
    when subject like 'Renovamos tu licencia de %' then 'license_renewed'
    when subject like 'Prórroga de tu licencia de %' then 'license_extended'
    when subject like 'Una licencia de % ahora es tuya' then 'license_transferred'
    when subject like 'Nueva clave de tu licencia de %' then 'key_replaced'
    when subject like 'Tu licencia de % está suspendida' then 'license_suspended'
    when subject like 'Tu licencia de % está activa de nuevo' then 'license_reinstated'
    when subject like 'Tu licencia de % se canceló' then 'license_cancelled'
    else kind end
  where subject not like 'Tu licencia de %' or subject like '%á%' or subject like '% se canceló';

-- Null in mail of the versions without it: rewriting every row with its content would take minutes
alter table outbox add column client_id bigint references "clients" (id) on delete set null;

alter table outbox add column user_id bigint references "users" (id) on delete set null;

alter table outbox add column sender_name text not null default '';

alter table outbox add column reply_to text not null default '';

-- JSON: further headers by name
alter table outbox add column headers text not null default '{}';

-- JSON: what an answer of the API masks in the content
alter table outbox add column secrets text not null default '[]';

-- A mail that is on its way cannot be cancelled; a dead worker's hold ends at this time
alter table outbox add column sending_until timestamptz(3);

create index outbox_by_client on outbox (client_id, id) where client_id is not null;

create index outbox_by_kind on outbox (kind, id);

create index outbox_with_content on outbox (created_at) where body_html <> '';
