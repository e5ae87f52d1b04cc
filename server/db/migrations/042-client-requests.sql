-- The newest requests that clients made in the portal, for the notifications and the dashboard.
create index events_of_requests on events (at, id) where type = 'client.requested';
