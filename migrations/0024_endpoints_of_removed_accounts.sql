-- The endpoints of a company end with it: what they were owed is closed, and nothing more is recorded for them.
update webhook_endpoints e set removed_at = a.removed_at
from accounts a where a.id = e.account_id and a.removed_at is not null and e.removed_at is null;
