-- By what a client may be one that exists already (INPUT-19): the folded name, which is the first line of the searched
-- text; the address without its +tag; the last ten digits of the phone. The tax id has an index since 024.
create index clients_by_folded_name on clients (split_part(search_text, E'\n', 1));

create index clients_by_mailbox on clients (
  (case when strpos(email_key, '+') between 2 and strpos(email_key, '@')
    then left(email_key, strpos(email_key, '+') - 1) || substr(email_key, strpos(email_key, '@'))
    else email_key end)
);

create index clients_by_phone_end on clients (right(phone, 10)) where length(phone) > 10;
