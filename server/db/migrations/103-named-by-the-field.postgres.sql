-- Tables named by the field's words: the last signal of a licence's machines, and notifications of payment providers.
alter table license_heard rename to license_last_signals;

alter table license_last_signals rename constraint license_heard_pkey to license_last_signals_pkey;

alter table license_last_signals rename constraint license_heard_license_id_fkey to license_last_signals_license_id_fkey;

alter index license_heard_by_day rename to license_last_signals_by_day;

-- Replicas of 0.2.0 that still run write the old name.
create view license_heard as select license_id, heard_on from license_last_signals;

alter table payment_notes rename to payment_notifications;

alter table payment_notifications rename constraint payment_notes_pkey to payment_notifications_pkey;

alter table payment_notifications rename constraint payment_notes_provider_note_id_key to payment_notifications_provider_note_id_key;

alter sequence payment_notes_id_seq rename to payment_notifications_id_seq;

alter index payment_notes_by_time rename to payment_notifications_by_time;

alter index payment_notes_waiting rename to payment_notifications_waiting;
