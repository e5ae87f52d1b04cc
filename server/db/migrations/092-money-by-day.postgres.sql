-- Each amount that came in or went back, on its own day, by the lines of its request (MONEY-04,
-- docs/decisions/158-money-by-day.md). Only triggers write here.
create table payment_moves (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id) on delete cascade,
  line_id bigint not null references payment_lines (id) on delete cascade,
  -- That of the licence, or the last one that a deleted licence had; -1 if that is not known.
  software_id bigint not null,
  currency text not null,
  at timestamptz(3) not null,
  -- Negative for what went back.
  amount_cents bigint not null
);

-- The software of a deleted licence, whose money may still come in or go back.
alter table payment_lines add column software_id bigint;

create index payment_moves_by_day on payment_moves (currency, at, amount_cents, software_id);

create index payment_moves_by_line on payment_moves (line_id);

create index payment_moves_by_payment on payment_moves (payment_id);

-- What open requests ask, read from the index alone.
create index payment_requests_due
  on payment_requests (currency, expires_at, held_until, amount_cents, paid_cents, withheld_cents) where state = 'open';

insert into day_state (source, kept, watched) values ('payment_moves', 0, 0);

-- Shares what came in (sign 1) or went back (-1) as a whole by the lines of its request, in proportion to their prices.
-- Fractions are cut off, and the last line has the rest. In this language a session plans the statement once, and not for
-- each payment.
create function payment_shares(payment bigint, request bigint, currency text, at timestamptz, sign integer, total bigint)
returns void language plpgsql as $$
#variable_conflict use_column
begin
  if $6 = 0 then return; end if;
  insert into payment_moves (payment_id, line_id, software_id, currency, at, amount_cents)
    select $1, line_id, software_id, $3, $4, $5 * cents from (
      select line_id, software_id,
        case when is_last then $6 - sum(share) over () + share else share end as cents
      from (
        select line.id as line_id, line.position = max(line.position) over () as is_last,
          coalesce(licenses.software_id, line.software_id, -1) as software_id,
          coalesce(div($6::numeric * line.price_cents, nullif(request.subtotal_cents, 0)), 0)::bigint as share
        from payment_lines as line
          join payment_requests as request on request.id = line.request_id
          left join licenses on licenses.id = line.license_id
        where line.request_id = $2
      ) as shares
    ) as parts
    where cents <> 0;
end $$;

create function payment_moves_begin() returns trigger language plpgsql as $$ begin
  perform payment_shares(new.id, new.request_id, new.currency, coalesce(new.paid_at, new.created_at), 1, new.amount_cents);
  perform payment_shares(new.id, new.request_id, new.currency, new.updated_at, -1,
    case when new.dispute = 'lost' then new.amount_cents else new.refunded_cents end);
  return null;
end $$;

create trigger payment_moves_begin after insert on payments for each row
  when (new.state in ('approved', 'refunded', 'charged_back') and not new.is_test) execute function payment_moves_begin();

-- What was told before is taken back and told anew as a whole: so what went back in parts is in the end, by line, what
-- came in. It goes back when that is stored, and after a chargeback that is won it comes in again then.
create function payment_moves_change() returns trigger language plpgsql as $$ begin
  perform payment_shares(new.id, new.request_id, new.currency, at, sign, total) from (
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
  where change <> 0;
  return null;
end $$;

create trigger payment_moves_change after update of state, amount_cents, refunded_cents, is_test, dispute on payments
  for each row when (old.state is distinct from new.state or old.amount_cents is distinct from new.amount_cents
    or old.refunded_cents is distinct from new.refunded_cents or old.is_test is distinct from new.is_test
    or old.dispute is distinct from new.dispute)
  execute function payment_moves_change();

-- As the terms of the licence do.
create function payment_moves_follow() returns trigger language plpgsql as $$ begin
  update payment_moves set software_id = new.software_id
    where line_id in (select id from payment_lines where license_id = new.id);
  return null;
end $$;

create trigger payment_moves_follow after update of software_id on licenses
  for each row when (old.software_id is distinct from new.software_id) execute function payment_moves_follow();

create function payment_lines_remember() returns trigger language plpgsql as $$ begin
  update payment_lines set software_id = old.software_id where license_id = old.id;
  return old;
end $$;

create trigger payment_lines_remember before delete on licenses
  for each row execute function payment_lines_remember();

create function payment_moves_changed() returns trigger language plpgsql as $$ begin
  if old.id <= (select watched from day_state where source = 'payment_moves') then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
      ('payment_moves', old.id, 'collected', old.at, old.currency, old.software_id, -1, -old.amount_cents),
      ('payment_moves', new.id, 'collected', new.at, new.currency, new.software_id, 1, new.amount_cents);
  end if;
  return null;
end $$;

create trigger payment_moves_changed after update of software_id on payment_moves
  for each row when (old.software_id is distinct from new.software_id) execute function payment_moves_changed();

create function payment_moves_deleted() returns trigger language plpgsql as $$ begin
  if old.id <= (select watched from day_state where source = 'payment_moves') then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
      ('payment_moves', old.id, 'collected', old.at, old.currency, old.software_id, -1, -old.amount_cents);
  end if;
  return null;
end $$;

create trigger payment_moves_deleted after delete on payment_moves
  for each row execute function payment_moves_deleted();

-- What is known of the past: a refund from here by its call, any other by the last change of its payment.
select payment_shares(id, request_id, currency, coalesce(paid_at, created_at), 1, amount_cents) from (
  select * from payments where state in ('approved', 'refunded', 'charged_back') and not is_test order by id
) as payments;

with refunds as (
  select payment_id, created_at, amount_cents,
    (sum(amount_cents) over (partition by payment_id order by id))::bigint as total
  from payment_refunds where state = 'done'
), wholes as (
  select id, request_id, currency, updated_at,
    case when dispute = 'lost' then amount_cents else refunded_cents end as total,
    coalesce((select max(total) from refunds where payment_id = payments.id), 0) as known
  from payments where state in ('approved', 'refunded', 'charged_back') and not is_test
    and (refunded_cents > 0 or dispute = 'lost')
), told as (
  select id, request_id, currency, created_at as at, -1 as sign, refunds.total from wholes join refunds on payment_id = id
  union all select id, request_id, currency, created_at, 1, refunds.total - amount_cents
    from wholes join refunds on payment_id = id
  union all select id, request_id, currency, updated_at, -1, total from wholes where total <> known
  union all select id, request_id, currency, updated_at, 1, known from wholes where total <> known
)
select payment_shares(id, request_id, currency, at, sign, total) from told;
