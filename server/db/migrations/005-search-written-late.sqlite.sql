create table "clients_search_pending" (id integer primary key);

drop trigger "clients_search_insert";

drop trigger "clients_search_delete";

drop trigger "clients_search_update";

drop table "clients_search";

create virtual table "clients_search" using fts5(
  search_text, content='clients', content_rowid='id', tokenize='trigram', detail=none
);

insert into "clients_search"("clients_search") values ('rebuild');

create trigger "clients_search_insert" after insert on "clients" begin insert into "clients_search_pending" (id) values (new.id); end;

create trigger "clients_search_delete" after delete on "clients" begin insert into "clients_search"("clients_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "clients_search_pending"); end;

create trigger "clients_search_update" after update of search_text on "clients"
  when old.search_text is not new.search_text begin insert into "clients_search"("clients_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "clients_search_pending");
    insert into "clients_search_pending" (id) select new.id where new.id not in (select id from "clients_search_pending"); end;

create table "software_search_pending" (id integer primary key);

drop trigger "software_search_insert";

drop trigger "software_search_delete";

drop trigger "software_search_update";

drop table "software_search";

create virtual table "software_search" using fts5(
  search_text, content='software', content_rowid='id', tokenize='trigram', detail=none
);

insert into "software_search"("software_search") values ('rebuild');

create trigger "software_search_insert" after insert on "software" begin insert into "software_search_pending" (id) values (new.id); end;

create trigger "software_search_delete" after delete on "software" begin insert into "software_search"("software_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "software_search_pending"); end;

create trigger "software_search_update" after update of search_text on "software"
  when old.search_text is not new.search_text begin insert into "software_search"("software_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "software_search_pending");
    insert into "software_search_pending" (id) select new.id where new.id not in (select id from "software_search_pending"); end;

create table "license_types_search_pending" (id integer primary key);

drop trigger "license_types_search_insert";

drop trigger "license_types_search_delete";

drop trigger "license_types_search_update";

drop table "license_types_search";

create virtual table "license_types_search" using fts5(
  search_text, content='license_types', content_rowid='id', tokenize='trigram', detail=none
);

insert into "license_types_search"("license_types_search") values ('rebuild');

create trigger "license_types_search_insert" after insert on "license_types" begin insert into "license_types_search_pending" (id) values (new.id); end;

create trigger "license_types_search_delete" after delete on "license_types" begin insert into "license_types_search"("license_types_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "license_types_search_pending"); end;

create trigger "license_types_search_update" after update of search_text on "license_types"
  when old.search_text is not new.search_text begin insert into "license_types_search"("license_types_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "license_types_search_pending");
    insert into "license_types_search_pending" (id) select new.id where new.id not in (select id from "license_types_search_pending"); end;

create table "licenses_search_pending" (id integer primary key);

drop trigger "licenses_search_insert";

drop trigger "licenses_search_delete";

drop trigger "licenses_search_update";

drop table "licenses_search";

create virtual table "licenses_search" using fts5(
  search_text, content='licenses', content_rowid='id', tokenize='trigram', detail=none
);

insert into "licenses_search"("licenses_search") values ('rebuild');

create trigger "licenses_search_insert" after insert on "licenses" begin insert into "licenses_search_pending" (id) values (new.id); end;

create trigger "licenses_search_delete" after delete on "licenses" begin insert into "licenses_search"("licenses_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "licenses_search_pending"); end;

create trigger "licenses_search_update" after update of search_text on "licenses"
  when old.search_text is not new.search_text begin insert into "licenses_search"("licenses_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "licenses_search_pending");
    insert into "licenses_search_pending" (id) select new.id where new.id not in (select id from "licenses_search_pending"); end;

create table "installations_search_pending" (id integer primary key);

drop trigger "installations_search_insert";

drop trigger "installations_search_delete";

drop trigger "installations_search_update";

drop table "installations_search";

create virtual table "installations_search" using fts5(
  search_text, content='installations', content_rowid='id', tokenize='trigram', detail=none
);

insert into "installations_search"("installations_search") values ('rebuild');

create trigger "installations_search_insert" after insert on "installations" begin insert into "installations_search_pending" (id) values (new.id); end;

create trigger "installations_search_delete" after delete on "installations" begin insert into "installations_search"("installations_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "installations_search_pending"); end;

create trigger "installations_search_update" after update of search_text on "installations"
  when old.search_text is not new.search_text begin insert into "installations_search"("installations_search", rowid, search_text)
  select 'delete', old.id, old.search_text where old.id not in (select id from "installations_search_pending");
    insert into "installations_search_pending" (id) select new.id where new.id not in (select id from "installations_search_pending"); end;
