-- The reference of a payment as a search compares it (MONEY-13). A job writes those of older payments.
alter table payments add column search_text text not null default '';

create table payments_search_pending (id integer primary key);

create virtual table payments_search using fts5(
  search_text, content='payments', content_rowid='id', tokenize='trigram', detail=none
);

-- Only payments that a person noted have a reference, so the others are not in the index.
create trigger payments_search_inserted after insert on payments when new.search_text <> '' begin
  insert into payments_search_pending (id) values (new.id);
end;

create trigger payments_search_deleted after delete on payments when old.search_text <> '' begin
  insert into payments_search (payments_search, rowid, search_text)
    select 'delete', old.id, old.search_text where old.id not in (select id from payments_search_pending);
  delete from payments_search_pending where id = old.id;
end;

create trigger payments_search_update after update of search_text on payments
  when old.search_text is not new.search_text begin
  insert into payments_search (payments_search, rowid, search_text)
    select 'delete', old.id, old.search_text
    where old.search_text <> '' and old.id not in (select id from payments_search_pending);
  insert into payments_search_pending (id) select new.id where new.id not in (select id from payments_search_pending);
end;

-- These indexes have what the lists sum, so that the rows are not read for it (MONEY-13).
drop index payment_requests_by_state;

create index payment_requests_by_state
  on payment_requests (state, id, currency, amount_cents, paid_cents, withheld_cents, expires_at, held_until);

-- Each finds a value in a range of days, tests the other value, and has the order of the list.
drop index payments_by_state;

create index payments_by_state
  on payments (state, created_at, id, provider, currency, amount_cents, refunded_cents);

drop index payments_by_creation;

create index payments_by_creation on payments (created_at, id, currency, amount_cents, refunded_cents);

create index payments_by_provider
  on payments (provider, created_at, id, state, currency, amount_cents, refunded_cents);
