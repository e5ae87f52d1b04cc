-- Tables named by the field's words: the last signal of a licence's machines, and notifications of payment providers.
alter table license_heard rename to license_last_signals;

drop index license_heard_by_day;

create index license_last_signals_by_day on license_last_signals (heard_on, license_id);

alter table payment_notes rename to payment_notifications;

drop index payment_notes_by_time;

create index payment_notifications_by_time on payment_notifications (received_at);

drop index payment_notes_waiting;

create index payment_notifications_waiting on payment_notifications (provider) where done_at is null;
