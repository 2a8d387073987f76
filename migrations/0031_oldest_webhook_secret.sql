-- The secret before the previous one, so that two rolls within 24 hours leave all three secrets valid.
alter table webhook_endpoints
  -- Encrypted with SECRET_KEY.
  add column oldest_secret bytea,
  add column oldest_secret_until timestamptz,
  add check ((oldest_secret is null) = (oldest_secret_until is null));
