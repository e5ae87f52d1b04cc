-- Seats that are lent for some minutes, releases by programs, and what a program says of itself
alter table license_types add column seat_mode text not null default 'fixed' check (seat_mode in ('fixed', 'floating'));

alter table license_types add column lease_minutes integer check ((lease_minutes is null) = (seat_mode = 'fixed'));

alter table license_types add column self_release integer not null default 0;

alter table license_types add column releases_per_month integer;

alter table licenses add column seat_mode text not null default 'fixed' check (seat_mode in ('fixed', 'floating'));

alter table licenses add column lease_minutes integer check ((lease_minutes is null) = (seat_mode = 'fixed'));

alter table licenses add column self_release integer not null default 0;

alter table licenses add column releases_per_month integer;

-- The local month in which programs last released machines of a fixed licence, and how many
alter table licenses add column released_month text;

alter table licenses add column released_in_month integer not null default 0;

-- For the job that frees seats: it reads no other licence
create index licenses_floating on licenses (id) where seat_mode = 'floating';

alter table installations add column app_version text not null default '';

alter table installations add column os text not null default '';
