-- False while only somebody who started a trial wrote the address (SELL-04).
alter table clients add column email_verified boolean not null default true;

-- Of the clients that trials made, those that never signed in and that nobody saved: a save needs a phone.
update clients set email_verified = false
where is_system = true or (phone = '' and portal_last_sign_in is null and id in (
  select licenses.client_id from trials join licenses on licenses.id = trials.license_id
));
