create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references "users" (id) on delete cascade,
  screen text not null,
  name text not null,
  name_order text collate "C" not null,
  query text not null,
  shared boolean not null,
  created_at timestamptz(3) not null,
  unique (user_id, screen, name_order)
);
