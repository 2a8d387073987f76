-- Whether an event was delivered to an endpoint after all: redelivering what failed asks for each event that did.
create index webhook_deliveries_again on webhook_deliveries (event_id, endpoint_id) where redelivery_of is not null;
