-- How a mail left: by a mail server or into a file of the data folder. Null before that, and in mail of the versions
-- without it
alter table outbox add column transport text;
