-- The staff session in which 'Ver como cliente' was pressed: the view ends with it. Not a foreign key: both rows end on
-- their own, and an unknown session is an ended one.
alter table portal_asks add column staff_session_id bigint;

alter table portal_sessions add column staff_session_id bigint;

-- Whether the password is known not to do for an administrator. Of one set before, the next sign-in finds out.
alter table users add column weak_for_admin boolean not null default false;
