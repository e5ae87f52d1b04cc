-- What clients asked for in the portal: the bell and the dashboard look for the newest.
create index events_of_requests on events (at, id) where type = 'client.requested';
