create table saved_views (
  id integer primary key autoincrement,
  user_id integer not null references "users" (id) on delete cascade,
  screen text not null,
  name text not null,
  name_order text not null,
  query text not null,
  shared integer not null,
  created_at text not null,
  unique (user_id, screen, name_order)
);
