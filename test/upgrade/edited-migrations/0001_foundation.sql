-- The foundation: accounts, keys, budgets, documents with their recipients, the audit trail, events,
-- idempotency and messages. Times come from the service's clock, never from now() (decisions.md, Documents).

create table accounts (
  id uuid primary key,
  display_name text not null check (char_length(display_name) between 1 and 200),
  tier text not null check (tier <> ''),
  restricted_types text[] not null default '{}',
  credits bigint not null default 0 check (credits >= 0),
  created_at timestamptz not null,
  removed_at timestamptz
);

create table credit_entries (
  id uuid primary key,
  account_id uuid not null references accounts,
  amount bigint not null check (amount <> 0),
  balance bigint not null check (balance >= 0),
  reason text not null,
  created_at timestamptz not null
);
create index credit_entries_by_account on credit_entries (account_id, id desc);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text check (char_length(name) between 1 and 100),
  mode text not null check (mode in ('live', 'test')),
  scopes text[] not null check (
    scopes <@ array['documents:read', 'recipients:read', 'documents:write', 'documents:send', 'imports:read', 'imports:write']
  ),
  legacy boolean not null default false,
  hash bytea not null unique check (octet_length(hash) = 32),
  hint text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_account on api_keys (account_id, id);

-- One row an account, written on every request: room for HOT updates, vacuumed early, never fsynced (the
-- statement runs with synchronous_commit off: a counter that loses its last instant in a power cut harms nobody).
create table rate_usage (
  account_id uuid primary key references accounts,
  minute bigint not null default 0,
  minute_used integer not null default 0 check (minute_used >= 0),
  day integer not null default 0,
  day_used integer not null default 0 check (day_used >= 0)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

create table documents (
  id uuid primary key,
  account_id uuid not null references accounts,
  type text not null check (type in (
    'contract', 'form', 'letter', 'estimate', 'change_order', 'invoice', 'lien_waiver', 'notice_to_owner',
    'schedule_of_values', 'pay_app', 'coi', 'license', 'other', 'w9', 'warranty', 'completion_certificate',
    'safety_acknowledgment', 'general', 'receipt', 'note', 'check', 'notice_of_commencement', 'comment_letter'
  )),
  status text not null check (status in (
    'draft', 'sent', 'partially_signed', 'completed', 'voided', 'declined', 'expired', 'in_review'
  )),
  title text not null check (char_length(title) between 1 and 200),
  description text,
  primary_language text not null check (primary_language in ('en', 'es')),
  secondary_language text check (secondary_language in ('en', 'es')),
  message text check (char_length(message) <= 2000),
  sign_order_mode text not null check (sign_order_mode in ('sequential', 'parallel')),
  expires_in_days smallint check (expires_in_days between 1 and 365),
  recipient_count smallint not null check (recipient_count >= 0),
  is_template boolean not null default false,
  restricted_kind text check (restricted_kind in ('pay', 'tax', 'identity', 'bank', 'health', 'other')),
  mirrors_document_id uuid check (mirrors_document_id <> id),
  -- The mode of the key that sent it. A document sent with a test key never sends e-mail or SMS for its whole life.
  sent_mode text check (sent_mode in ('live', 'test')),
  content_sha256 bytea check (octet_length(content_sha256) = 32),
  sent_at timestamptz,
  completed_at timestamptz,
  voided_at timestamptz,
  voided_reason text,
  expires_at timestamptz,
  sealed_at timestamptz,
  sealed_file text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Head of the audit chain, moved under the row lock that every change of the document takes.
  audit_seq integer not null check (audit_seq > 0),
  audit_hash bytea not null check (octet_length(audit_hash) = 32),
  unique (account_id, id),
  foreign key (account_id, mirrors_document_id) references documents (account_id, id),
  check ((status = 'voided') = (voided_at is not null)),
  check (status <> 'completed' or completed_at is not null),
  check (status not in ('sent', 'partially_signed', 'completed', 'declined', 'expired') or sent_at is not null),
  check ((sent_at is null) = (sent_mode is null)),
  check ((sealed_at is null) = (sealed_file is null)),
  check (sealed_at is null or completed_at is not null)
);
-- What the API lists: the newest first, templates and sensitive papers left out.
create index documents_newest on documents (account_id, id desc) where not is_template and restricted_kind is null;
create index documents_newest_by_status on documents (account_id, status, id desc)
  where not is_template and restricted_kind is null;
create index documents_expiring on documents (expires_at) where status in ('sent', 'partially_signed');
create index documents_unsealed on documents (completed_at) where completed_at is not null and sealed_at is null;

create table recipients (
  id uuid primary key,
  account_id uuid not null,
  document_id uuid not null,
  position smallint not null check (position >= 0),
  display_name text not null check (char_length(display_name) between 1 and 120),
  email text check (char_length(email) <= 254),
  phone text check (char_length(phone) <= 40),
  party_role text check (char_length(party_role) <= 60),
  channel text not null check (channel in ('email', 'sms', 'in_person')),
  sign_order integer not null check (sign_order > 0),
  auth_level text not null check (auth_level in ('l0_email_link', 'l1_email_sms_otp', 'l0_account_session')),
  status text not null check (status in ('pending', 'sent', 'viewed', 'signed', 'declined')),
  sent_at timestamptz,
  viewed_at timestamptz,
  signed_at timestamptz,
  declined_at timestamptz,
  declined_reason text check (char_length(declined_reason) between 1 and 1000),
  -- What the signer left: the name typed, the drawing if there is one, and from where.
  signature_name text,
  signature_png bytea,
  signed_ip text,
  signed_user_agent text,
  foreign key (account_id, document_id) references documents (account_id, id),
  unique (document_id, position),
  check (auth_level <> 'l1_email_sms_otp' or party_role is null or party_role not in ('cc', 'approver')),
  check ((status = 'signed') = (signed_at is not null)),
  check ((status = 'declined') = (declined_at is not null)),
  check ((declined_at is null) = (declined_reason is null)),
  check (status = 'pending' or sent_at is not null)
);

-- A link is minted for each message and each showing; only its hash is kept.
create table signing_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  recipient_id uuid not null references recipients,
  created_at timestamptz not null
);
create index signing_links_by_recipient on signing_links (recipient_id);

-- A message owed to a recipient: the durable half of a delivery job.
create table messages (
  id uuid primary key,
  account_id uuid not null,
  document_id uuid not null,
  recipient_id uuid not null references recipients,
  kind text not null check (kind in ('signature_request', 'completed_copy')),
  channel text not null check (channel in ('email', 'sms')),
  status text not null check (status in ('pending', 'accepted', 'failed', 'cancelled')),
  attempts integer not null default 0 check (attempts >= 0),
  last_error text,
  provider_id text,
  created_at timestamptz not null,
  settled_at timestamptz,
  foreign key (account_id, document_id) references documents (account_id, id),
  unique (recipient_id, kind),
  check ((status = 'pending') = (settled_at is null))
);
create index messages_by_document on messages (document_id, id);

create table audit_entries (
  document_id uuid not null references documents,
  seq integer not null check (seq > 0),
  account_id uuid not null references accounts,
  at timestamptz not null,
  actor text not null,
  action text not null,
  -- Canonical JSON exactly as hashed; jsonb would lose its bytes.
  detail text not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (document_id, seq)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();

-- What happened, in the words webhook receivers get: the body is stored once and sent byte-identical.
create table events (
  id uuid primary key,
  account_id uuid not null,
  document_id uuid not null,
  type text not null check (type in (
    'document.sent', 'document.viewed', 'document.signed', 'document.completed', 'document.declined', 'document.voided'
  )),
  body text not null,
  created_at timestamptz not null,
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index events_by_document on events (document_id, id);

-- Only 2xx answers are remembered; the record commits with the write it answers for.
create table idempotency_records (
  account_id uuid not null references accounts,
  endpoint text not null,
  key text not null,
  request_sha256 bytea not null check (octet_length(request_sha256) = 32),
  status smallint not null check (status between 200 and 299),
  body text not null,
  created_at timestamptz not null,
  primary key (account_id, endpoint, key)
);
create index idempotency_records_by_age on idempotency_records (created_at);
