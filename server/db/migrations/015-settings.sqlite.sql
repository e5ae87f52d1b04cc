create table settings (
  id integer primary key check (id = 1),
  -- JSON: the settings that were changed; the others have the program's defaults
  changed text not null,
  updated_at text not null
);

create table vendor_logo (
  id integer primary key check (id = 1),
  media_type text not null,
  -- The file in base64
  content text not null,
  updated_at text not null
);
