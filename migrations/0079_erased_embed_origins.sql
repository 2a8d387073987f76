-- Companies that were erased before kept the addresses of their sites.
update accounts set embed_origins = '{}' where erased_at is not null and embed_origins <> '{}';
