-- Mails whose link lets somebody in: their content is encrypted until they are sent, and removed then
alter table outbox add column sealed text;

-- Those that were sent before keep neither their content nor their links
update outbox set body_text = '', body_html = '', secrets = '[]'
where kind in ('invitation', 'password_reset') and status <> 'queued';
