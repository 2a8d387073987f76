-- The vendor's description of an envelope is kept until its item has ended. Imports that ended early kept it.
update esign_envelopes e set envelope = null
from import_items i
where i.id = e.item_id and i.status in ('filed', 'failed') and e.envelope is not null;
