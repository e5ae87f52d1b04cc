-- How a mail was sent: through a mail server, or as a file in the data folder. Null before it is sent, and in mails
-- of versions without this column.
alter table outbox add column transport text;
