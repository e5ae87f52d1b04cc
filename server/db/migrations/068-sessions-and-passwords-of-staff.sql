-- The staff session in which 'Ver como cliente' was pressed: the view ends with it. Not a foreign key: both rows end on
-- their own, and an unknown session is an ended one.
alter table portal_asks add column staff_session_id bigint;

alter table portal_sessions add column staff_session_id bigint;

-- Whether the password was set under the rule for administrators; of an earlier one nobody knows it.
alter table users add column admin_password boolean not null default false;
