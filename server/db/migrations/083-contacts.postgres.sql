-- Persons beside a client's own address (DESK-04). JSON: the list as answers have it.
alter table clients add column contacts text not null default '[]';

-- By what a contact is found, made of that list: its address in the form in which addresses are compared, also without
-- its +tag, and the last ten digits of its phone. The token is that of its unsubscribe link, and stays while the
-- address stays.
create table contact_addresses (
  client_id bigint not null references clients (id) on delete cascade,
  email_key text not null,
  mailbox text not null,
  phone_end text,
  enters_portal boolean not null,
  token text not null unique,
  primary key (client_id, email_key)
);

create index contact_addresses_by_email on contact_addresses (email_key);

create index contact_addresses_by_mailbox on contact_addresses (mailbox);

create index contact_addresses_by_phone_end on contact_addresses (phone_end) where phone_end is not null;

-- Those from whom an address may choose after its code, where it is one of several clients.
create table portal_ask_clients (
  ask_id bigint not null references portal_asks (id) on delete cascade,
  client_id bigint not null references clients (id) on delete cascade,
  primary key (ask_id, client_id)
);

create index portal_ask_clients_by_client on portal_ask_clients (client_id);

-- When its code or link was used and a client is still to be chosen.
alter table portal_asks add column proved_at timestamptz;

-- Whether a mail went to a contact and not to the client itself.
alter table outbox add column is_contact boolean not null default false;
