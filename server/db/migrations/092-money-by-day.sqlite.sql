-- Each amount that came in or went back, on its own day, by the lines of its request (MONEY-04,
-- docs/decisions/158-money-by-day.md). Only triggers write here.
create table payment_moves (
  id integer primary key autoincrement,
  payment_id integer not null references payments (id) on delete cascade,
  line_id integer not null references payment_lines (id) on delete cascade,
  -- That of the licence, or the last one that a deleted licence had; -1 if that is not known.
  software_id integer not null,
  currency text not null,
  at text not null,
  -- Negative for what went back.
  amount_cents integer not null
);

-- The software of a deleted licence, whose money may still come in or go back.
alter table payment_lines add column software_id integer;

create index payment_moves_by_day on payment_moves (currency, at, amount_cents, software_id);

create index payment_moves_by_line on payment_moves (line_id);

create index payment_moves_by_payment on payment_moves (payment_id);

-- What open requests ask, read from the index alone.
create index payment_requests_due
  on payment_requests (currency, expires_at, held_until, amount_cents, paid_cents, withheld_cents) where state = 'open';

insert into day_state (source, kept, watched) values ('payment_moves', 0, 0);

-- A row that is inserted here is shared by the lines of a request: what came in (sign 1) or went back (-1) as a whole.
create view payment_shares as
  select null as payment_id, null as request_id, null as currency, null as at, null as sign, null as total_cents;

-- In proportion to the prices; fractions are cut off, and the last line has the rest. Millions and the rest are
-- multiplied one after the other, because their product with a price can be larger than an integer.
create trigger payment_shares_inserted instead of insert on payment_shares when new.total_cents <> 0 begin
  insert into payment_moves (payment_id, line_id, software_id, currency, at, amount_cents)
    select new.payment_id, line_id, software_id, new.currency, new.at, new.sign * cents from (
      select line_id, software_id,
        case when is_last then new.total_cents - sum(share) over () + share else share end as cents
      from (
        select line.id as line_id,
          line.position = (select max(position) from payment_lines where request_id = new.request_id) as is_last,
          coalesce(licenses.software_id, line.software_id, -1) as software_id,
          coalesce(cast(
            new.total_cents / 1000000 * line.price_cents / nullif(request.subtotal_cents, 0) * 1000000
            + (new.total_cents / 1000000 * line.price_cents % nullif(request.subtotal_cents, 0) * 1000000
              + new.total_cents % 1000000 * line.price_cents) / nullif(request.subtotal_cents, 0)
          as integer), 0) as share
        from payment_lines as line
          join payment_requests as request on request.id = line.request_id
          left join licenses on licenses.id = line.license_id
        where line.request_id = new.request_id
      ) as shares
    ) as parts
    where cents <> 0; end;

create trigger payment_moves_begin after insert on payments
  when new.state in ('approved', 'refunded', 'charged_back') and not new.is_test begin
  insert into payment_shares (payment_id, request_id, currency, at, sign, total_cents) values
    (new.id, new.request_id, new.currency, coalesce(new.paid_at, new.created_at), 1, new.amount_cents),
    (new.id, new.request_id, new.currency, new.updated_at, -1,
      case when new.dispute = 'lost' then new.amount_cents else new.refunded_cents end); end;

-- What was told before is taken back and told anew as a whole: so what went back in parts is in the end, by line, what
-- came in. It goes back when that is stored, and after a chargeback that is won it comes in again then.
create trigger payment_moves_change after update of state, amount_cents, refunded_cents, is_test, dispute on payments
  when old.state is not new.state or old.amount_cents is not new.amount_cents or old.refunded_cents is not new.refunded_cents
    or old.is_test is not new.is_test or old.dispute is not new.dispute begin
  insert into payment_shares (payment_id, request_id, currency, at, sign, total_cents)
    select new.id, new.request_id, new.currency, at, sign, total from (
      select *, sum(sign * total) over (partition by at) as change from (
        select coalesce(new.paid_at, new.created_at) as at, -1 as sign, old.amount_cents as total
          where old.state in ('approved', 'refunded', 'charged_back') and not old.is_test
        union all select coalesce(new.paid_at, new.created_at), 1, new.amount_cents
          where new.state in ('approved', 'refunded', 'charged_back') and not new.is_test
        union all select new.updated_at, 1, case when old.dispute = 'lost' then old.amount_cents else old.refunded_cents end
          where old.state in ('approved', 'refunded', 'charged_back') and not old.is_test
        union all select new.updated_at, -1, case when new.dispute = 'lost' then new.amount_cents else new.refunded_cents end
          where new.state in ('approved', 'refunded', 'charged_back') and not new.is_test
      ) as told
    ) as changed
    where change <> 0; end;

-- As the terms of the licence do.
create trigger payment_moves_follow after update of software_id on licenses when old.software_id <> new.software_id begin
  update payment_moves set software_id = new.software_id
    where line_id in (select id from payment_lines where license_id = new.id); end;

create trigger payment_lines_remember before delete on licenses begin
  update payment_lines set software_id = old.software_id where license_id = old.id; end;

create trigger payment_moves_changed after update of software_id on payment_moves
  when old.software_id <> new.software_id and old.id <= (select watched from day_state where source = 'payment_moves') begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
    ('payment_moves', old.id, 'collected', old.at, old.currency, old.software_id, -1, -old.amount_cents),
    ('payment_moves', new.id, 'collected', new.at, new.currency, new.software_id, 1, new.amount_cents); end;

create trigger payment_moves_deleted after delete on payment_moves
  when old.id <= (select watched from day_state where source = 'payment_moves') begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
    ('payment_moves', old.id, 'collected', old.at, old.currency, old.software_id, -1, -old.amount_cents); end;

-- What is known of the past: a refund from here by its call, any other by the last change of its payment.
insert into payment_shares (payment_id, request_id, currency, at, sign, total_cents)
  select id, request_id, currency, coalesce(paid_at, created_at), 1, amount_cents from payments
    where state in ('approved', 'refunded', 'charged_back') and not is_test
    order by id;

insert into payment_shares (payment_id, request_id, currency, at, sign, total_cents)
  with refunds as (
    select payment_id, created_at, amount_cents, sum(amount_cents) over (partition by payment_id order by id) as total
    from payment_refunds where state = 'done'
  ), wholes as (
    select id, request_id, currency, updated_at,
      case when dispute = 'lost' then amount_cents else refunded_cents end as total,
      coalesce((select max(total) from refunds where payment_id = payments.id), 0) as known
    from payments where state in ('approved', 'refunded', 'charged_back') and not is_test
      and (refunded_cents > 0 or dispute = 'lost')
  )
  select id, request_id, currency, created_at, -1, refunds.total from wholes join refunds on payment_id = id
  union all select id, request_id, currency, created_at, 1, refunds.total - amount_cents from wholes join refunds on payment_id = id
  union all select id, request_id, currency, updated_at, -1, total from wholes where total <> known
  union all select id, request_id, currency, updated_at, 1, known from wholes where total <> known;
