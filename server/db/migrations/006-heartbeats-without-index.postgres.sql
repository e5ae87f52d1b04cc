drop index installations_by_heartbeat;

alter table "installations" set (fillfactor = 90);
