import { accessTo } from '../accounts/document-access.ts';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers } from '../accounts/members.ts';
import type { Document } from '../documents/document.ts';
import { findActingMember } from '../documents/find-sender.ts';
import { findDocumentInAccount } from '../documents/queries.ts';
import { isRemoved } from '../documents/reminders.ts';
import { cancelDirect, isDirectSent, type MemberMailDeps, recordDirectAttempt } from '../messages/direct-message.ts';
import type { BulkStopJob, JobQueue } from '../messages/job-queue.ts';
import { type Notice, sendNotice } from '../messages/notice.ts';
import type { Language } from '../platform/language.ts';
import { oneLine, withoutDirectionControls } from '../platform/mail-text.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { BulkSend, StopReason } from './bulk-send.ts';
import { countRows } from './list-bulk-sends.ts';

/**
 * Enqueues an e-mail to the member who started a bulk send that stops. If this person left the company, its owners and admins
 * get it. Runs in the transaction that stops it, so there is one e-mail however many workers send.
 */
export async function notifyOfStop(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { account_id: accountId, id: bulkSendId, actor }: BulkSend,
): Promise<void> {
  const starter = await findActingMember(tx, accountId, actor);
  const members =
    starter === null ? (await listMembers(tx, accountId)).filter(({ role }) => role !== 'member') : [starter];
  if (members.length === 0) return;
  await queue.enqueue(
    tx,
    members.map(({ id }) => {
      return { name: 'tell-of-bulk-send', messageId: world.newId(), accountId, bulkSendId, memberId: id };
    }),
  );
}

/**
 * Sends the e-mail of one job. Skips it if the member left or the company was removed. Throws if the mail server is unavailable,
 * so that the queue retries the job.
 */
export async function sendStopNotice(
  db: Queryable,
  { world, mail, origin, isLastAttempt }: MemberMailDeps,
  { messageId, accountId, bulkSendId, memberId }: BulkStopJob,
): Promise<void> {
  const [stopped, member, isCompanyRemoved, isSent] = await Promise.all([
    findStopped(db, accountId, bulkSendId),
    findMember(db, memberId),
    isRemoved(db, accountId),
    isDirectSent(db, messageId),
  ]);
  if (isSent) return;
  const template = stopped && (await findDocumentInAccount(db, accountId, stopped.template_id));
  if (isCompanyRemoved || stopped === null || template === null || member === null) {
    return cancelDirect(world, db, messageId);
  }
  const [accountName, counts, access] = await Promise.all([
    readAccountName(db, accountId),
    countRows(db, accountId, [bulkSendId]),
    accessTo(db, member, template),
  ]);
  const facts = { ...stopped, accountName, unsent: counts.get(bulkSendId)?.ready ?? 0 };
  const notice = noticeOf(facts, template, access !== null, origin);
  const message = {
    id: messageId,
    accountId,
    documentId: template.id,
    recipient: null,
    address: member.email,
  } as const;
  await sendNotice(mail, { messageId, address: member.email }, notice, (outcome) =>
    recordDirectAttempt(world, db, { ...message, kind: 'bulk_send_stopped', channel: 'email' }, outcome, isLastAttempt),
  );
}

interface Stopped extends Pick<BulkSend, 'id' | 'template_id' | 'language'> {
  file_name: string;
  stop_reason: StopReason;
}

async function findStopped(db: Queryable, accountId: string, id: string): Promise<Stopped | null> {
  const rows = await db.query<Stopped>({
    name: 'find_stopped_bulk_send',
    text: `select id, template_id, language, file_name, stop_reason from bulk_sends
           where account_id = $1 and id = $2 and status = 'stopped'`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

const en = {
  hidden: 'a CSV file',
  subject: (file: string) => `Bulk send stopped: ${file}`,
  introduction: (file: string, account: string) => `Sending in bulk has stopped at ${account}: ${file}`,
  reasons: {
    template_changed: 'Someone changed the template after the file was checked.',
    template_deleted: 'The template was deleted.',
    company_removed: 'The company was closed.',
  },
  unsent: (rows: number) => `${rows === 1 ? '1 row was' : `${rows} rows were`} not sent. What was sent stays sent.`,
  action: 'Download the rows that were not sent here:',
  forAdmins: 'An owner or admin can download the rows that were not sent.',
};

const texts: Record<Language, typeof en> = {
  en,
  es: {
    hidden: 'un archivo CSV',
    subject: (file) => `Envío a muchos detenido: ${file}`,
    introduction: (file, account) => `Se ha detenido un envío a muchos de ${account}: ${file}`,
    reasons: {
      template_changed: 'Alguien cambió la plantilla después de comprobar el archivo.',
      template_deleted: 'La plantilla se eliminó.',
      company_removed: 'La empresa se cerró.',
    },
    unsent: (rows) => {
      return `${rows === 1 ? 'No se envió 1 fila' : `No se enviaron ${rows} filas`}. Lo ya enviado sigue enviado.`;
    },
    action: 'Descargue aquí las filas que no se enviaron:',
    forAdmins: 'Un propietario o administrador puede descargar las filas que no se enviaron.',
  },
};

/** The name of the file is left out if the template is restricted, or its addressee may not see it. */
function noticeOf(
  { id, language, file_name, stop_reason, accountName, unsent }: Stopped & { accountName: string; unsent: number },
  template: Document,
  maySee: boolean,
  origin: string,
): Notice {
  const words = texts[language ?? 'en'];
  const file = maySee && template.restricted_kind === null ? plain(file_name) : words.hidden;
  return {
    language: language ?? 'en',
    subject: words.subject(file),
    paragraphs: [
      words.introduction(file, plain(accountName)),
      `${words.reasons[stop_reason]} ${words.unsent(unsent)}`,
      maySee ? words.action : words.forAdmins,
    ],
    link: maySee ? `${origin}/templates/${template.id}/bulk/${id}` : origin,
  };
}

function plain(text: string): string {
  return withoutDirectionControls(oneLine(text));
}
