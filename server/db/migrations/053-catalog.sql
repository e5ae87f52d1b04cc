-- Whether the public catalogue shows them (SELL-06).
alter table software add column is_public boolean not null default false;

alter table license_types add column is_public boolean not null default false;
