-- For redelivering what an endpoint missed: the walk over what died there, and whether it was delivered after all.
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, id) where status = 'dead' and redelivery_of is null;
create index webhook_deliveries_again on webhook_deliveries (event_id, endpoint_id) where redelivery_of is not null;
