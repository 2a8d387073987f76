import { columnsOf, type ExportedTableName } from './exported-tables.ts';

/** Rows of one table that become one file. */
export interface Dataset {
  /** `.jsonl`: one JSON object a line. `.json`: one array. */
  file: string;
  /** $1 is the account. */
  sql: string;
  /** Columns whose text is JSON. */
  json?: readonly string[];
  /** Lower where rows are large. */
  rowsAtOnce?: number;
}

/** A table with an index of its account. */
function own(file: string, table: ExportedTableName, order: string, more: Partial<Dataset> = {}): Dataset {
  return { file, sql: `select ${columnsOf(table)} from ${table} t where t.account_id = $1 order by ${order}`, ...more };
}

/** Everything that is read row by row. Documents, logs and settings are read by their own code. */
export const datasets: readonly Dataset[] = [
  {
    file: 'audit-trails.jsonl',
    sql: `select ${columnsOf('audit_entries')} from documents d
          join audit_entries t on t.document_id = d.id and t.account_id = $1 where d.account_id = $1 order by d.id, t.seq`,
    json: ['detail', 'openings'],
  },
  own('attestations.jsonl', 'attestations', 't.document_id, t.entry'),
  own('events.jsonl', 'events', 't.id', { json: ['body'], rowsAtOnce: 100 }),
  own('webhooks.json', 'webhook_endpoints', 't.id'),
  {
    file: 'webhook-deliveries.jsonl',
    sql: `select ${columnsOf('webhook_deliveries')} from webhook_endpoints e
          join webhook_deliveries t on t.endpoint_id = e.id and t.account_id = $1 where e.account_id = $1 order by e.id, t.id`,
  },
  {
    file: 'webhook-attempts.jsonl',
    sql: `select ${columnsOf('webhook_attempts')} from webhook_endpoints e
          join webhook_deliveries d on d.endpoint_id = e.id and d.account_id = $1
          join webhook_attempts t on t.delivery_id = d.id where e.account_id = $1 order by e.id, d.id, t.number`,
    rowsAtOnce: 100,
  },
  own('api-keys.json', 'api_keys', 't.id'),
  own('imports.jsonl', 'imports', 't.id'),
  {
    file: 'import-items.jsonl',
    sql: `select ${columnsOf('import_items')} from imports i
          join import_items t on t.import_id = i.id and t.account_id = $1 where i.account_id = $1 order by i.id, t.id`,
  },
  own('imported-files.jsonl', 'imported_files', 't.sha256'),
  own('imported-drive-files.jsonl', 'imported_drive_files', 't.drive_file_id, t.revision'),
  own('imported-envelopes.jsonl', 'imported_envelopes', 't.envelope_id'),
  own('bulk-sends.jsonl', 'bulk_sends', 't.id'),
  own('bulk-send-rows.jsonl', 'bulk_send_rows', 't.bulk_send_id, t.number', { rowsAtOnce: 100 }),
  own('public-links.jsonl', 'public_links', 't.id'),
  own('public-link-documents.jsonl', 'public_link_documents', 't.document_id'),
  own('folders.json', 'folders', 't.id'),
  own('folder-members.json', 'folder_members', 't.folder_id, t.member_id'),
  own('cc-lists.json', 'cc_lists', 't.id'),
  own('cc-list-people.json', 'cc_list_people', 't.list_id, t.position'),
  own('removed-members.jsonl', 'removed_members', 't.canonical_email'),
  own('sso-identities.jsonl', 'sso_identities', 't.issuer, t.subject'),
  {
    file: 'saved-views.jsonl',
    sql: `select ${columnsOf('saved_views')} from members m
          join saved_views t on t.member_id = m.id and t.account_id = $1 where m.account_id = $1 order by m.id, t.name`,
  },
  own('usage.jsonl', 'usage_days', 't.day'),
  own('credits.jsonl', 'credit_entries', 't.number'),
];

/** A table for people who open it in a spreadsheet. */
export interface Sheet {
  file: string;
  sql: string;
  heads: readonly string[];
}

const contacts = `array_to_string(array(
    select concat_ws(' ', r.display_name, coalesce(r.email, r.phone)) from recipients r
    where r.document_id = d.id and r.account_id = $1 order by r.position), '; ')`;

const documentSheet = (which: string) =>
  `select d.id, d.title, d.type, d.status, d.is_template::text, d.restricted_kind, d.created_at, d.sent_at, d.completed_at,
     d.voided_at, d.expires_at, ${contacts} as recipients, case when f.document_id is not null then 'files/' || d.id || '/original.pdf' end as original,
     case when d.sealed_file is not null then 'files/' || d.id || '/sealed.pdf' end as sealed
   from documents d left join document_files f on f.document_id = d.id and f.account_id = $1
   where d.account_id = $1${which} order by d.id`;

const documentHeads = [
  ...['ID', 'Title', 'Type', 'Status', 'Template', 'Restricted', 'Created (UTC)', 'Sent (UTC)', 'Completed (UTC)'],
  ...['Voided (UTC)', 'Expires (UTC)', 'Recipients', 'Original file', 'Sealed file'],
];

export const sheets: readonly Sheet[] = [
  { file: 'documents.csv', heads: documentHeads, sql: documentSheet('') },
  { file: 'templates.csv', heads: documentHeads, sql: documentSheet(' and d.is_template') },
  {
    file: 'members.csv',
    heads: ['ID', 'E-mail', 'Role', 'Added (UTC)', 'Notices switched off', 'Person ID'],
    sql: `select t.id, t.email, t.role, t.created_at, array_to_string(t.notices_off, ', ') as notices_off, p.id as person_id
          from members t
          left join people p on p.canonical_email = t.canonical_email where t.account_id = $1 order by t.id`,
  },
  {
    file: 'contacts.csv',
    heads: ['Name', 'E-mail', 'Phone', 'Documents', 'Last document'],
    sql: `select r.display_name, r.email, r.phone, count(distinct r.document_id) as documents,
            (array_agg(d.id order by d.id desc))[1] as last_document
          from documents d join recipients r on r.document_id = d.id and r.account_id = $1
          where d.account_id = $1 and not d.is_template and (r.email is not null or r.phone is not null)
          group by r.display_name, r.email, r.phone order by r.display_name, r.email, r.phone`,
  },
];
