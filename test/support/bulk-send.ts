import type { Actor } from '../../src/actor.ts';
import { createBulkSend, startBulkSend } from '../../src/bulk-send/bulk-send.ts';
import { checkFile } from '../../src/bulk-send/check-file.ts';
import { readAttachment } from '../../src/documents/attachment.ts';
import type { Document } from '../../src/documents/document.ts';
import { listRecipients, lockDocument } from '../../src/documents/queries.ts';
import { createTemplate } from '../../src/documents/templates.ts';
import type { JobQueue } from '../../src/messages/job-queue.ts';
import type { Language } from '../../src/platform/language.ts';
import type { TestService } from './service.ts';

type Place = Pick<TestService, 'world' | 'db'>;

/** Creates a template, with the details of `template`, and checks a file against it. Nothing is sent yet. */
export async function checkBulk(
  { world, db }: Place,
  company: { id: string },
  csv: string,
  template: { templateId?: string; [detail: string]: unknown } = {},
): Promise<{ id: string; templateId: string }> {
  const { templateId = null, ...details } = template;
  return db.transaction(async (tx) => {
    const body = { title: 'Lease', recipients: [{ name: 'Tenant' }], ...details };
    const document =
      templateId === null
        ? await createTemplate(world, tx, company.id, 'operator', body)
        : ((await lockDocument(tx, company.id, templateId, 'all')) as Document);
    const recipients = await listRecipients(tx, company.id, document.id);
    const attachment = await readAttachment(tx, company.id, document.id);
    const file = await checkFile(document, recipients, new TextEncoder().encode(csv), attachment?.fields);
    if (file.kind !== 'checked') throw new Error(file.kind);
    const id = await createBulkSend(world, tx, {
      accountId: company.id,
      templateId: document.id,
      templateVersion: document.audit_seq,
      actor: 'operator',
      fileName: 'tenants.csv',
      ...file,
    });
    return { id, templateId: document.id };
  });
}

/** Checks a file and starts sending its rows. */
export async function startBulk(
  app: Place,
  company: { id: string },
  queue: JobQueue,
  csv: string,
  template: { [detail: string]: unknown } = {},
  starter: { actor: Actor; language: Language } = { actor: 'operator', language: 'en' },
): Promise<{ id: string; templateId: string }> {
  const checked = await checkBulk(app, company, csv, template);
  const bulkSend = { accountId: company.id, id: checked.id, ...starter };
  const started = await app.db.transaction((tx) => startBulkSend(app.world, tx, queue, bulkSend));
  if (!started) throw new Error('the bulk send did not start');
  return checked;
}

/** A file with one tenant in each row. */
export const csvOf = (rows: number) =>
  `Tenant name,Tenant email\n${Array.from({ length: rows }, (_, n) => `Ada ${n},ada-${n}@example.com\n`).join('')}`;

export interface BulkRow {
  number: number;
  status: string;
  faults: unknown[];
  document_id: string | null;
  title: string | null;
  document: string | null;
  email: string | null;
  messages: number;
}

/** The rows of a bulk send with their documents, and how many messages each document has. */
export function bulkRows({ db }: Pick<Place, 'db'>, id: string): Promise<BulkRow[]> {
  return db.query<BulkRow>({
    name: '',
    text: `select b.number, b.status, b.faults, b.document_id, d.title, d.status as document,
             (select min(email) from recipients r where r.document_id = d.id) as email,
             (select count(*)::int from messages m where m.document_id = d.id) as messages
           from bulk_send_rows b left join documents d on d.id = b.document_id
           where b.bulk_send_id = $1 order by b.number`,
    values: [id],
  });
}

export async function bulkStatus({ db }: Pick<Place, 'db'>, id: string) {
  const text = 'select status, stop_reason from bulk_sends where id = $1';
  return (await db.query<{ status: string; stop_reason: string | null }>({ name: '', text, values: [id] }))[0];
}
