-- At most one row: the mail server of Configuración › Correos (DESK-07). Its password is sealed with SECRET_KEY.
create table mail_settings (
  id integer primary key check (id = 1),
  host text not null,
  port integer not null,
  security text not null,
  username text not null,
  password text,
  sender text not null,
  updated_at text not null
);

-- Another mail server than the present one, sealed, that sends a mail; null for all others.
alter table outbox add column via text;

-- What was only written to the folder and waits to be sent.
create index outbox_in_folder on outbox (created_at, id) where transport = 'folder';
