import { accessTo, type FolderRole } from '../accounts/document-access.ts';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers, type Member } from '../accounts/members.ts';
import { cancelDirect, isDirectSent, type MemberMailDeps, recordDirectAttempt } from '../messages/direct-message.ts';
import type { JobQueue, ScheduleJob } from '../messages/job-queue.ts';
import { type Notice, sendNotice } from '../messages/notice.ts';
import { oneLine, withoutDirectionControls } from '../platform/mail-text.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Document, SendFailure } from './document.ts';
import { findActingMember } from './find-sender.ts';
import { findDocumentInAccount } from './queries.ts';
import { isRemoved } from './reminders.ts';

/**
 * Enqueues an e-mail to the member who scheduled a document that was not sent. If this person left the company, or an operator
 * scheduled it, its owners and admins get it. Runs in the transaction that ends the schedule. A removed company gets none.
 */
export async function notifyOfFailedSchedule(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  failure: SendFailure,
): Promise<void> {
  if (failure === 'company_removed') return;
  const { account_id: accountId, id: documentId, send_by, send_language } = document;
  const scheduler = await findActingMember(tx, accountId, send_by);
  const members = scheduler === null ? (await listMembers(tx, accountId)).filter(isAdmin) : [scheduler];
  if (members.length === 0) return;
  const job = { name: 'tell-of-schedule', accountId, documentId, failure, language: send_language ?? 'en' } as const;
  await queue.enqueue(
    tx,
    members.map(({ id }) => ({ ...job, messageId: world.newId(), memberId: id })),
  );
}

/**
 * Sends the e-mail of one job. Skips it if the document was sent, scheduled again or voided, the member left, or the company was
 * removed. Throws if the mail server is unavailable, so that the queue retries the job.
 */
export async function sendScheduleNotice(
  db: Queryable,
  { world, mail, origin, isLastAttempt }: MemberMailDeps,
  job: ScheduleJob,
): Promise<void> {
  const [document, member, isCompanyRemoved, isSent] = await Promise.all([
    findDocumentInAccount(db, job.accountId, job.documentId),
    findMember(db, job.memberId),
    isRemoved(db, job.accountId),
    isDirectSent(db, job.messageId),
  ]);
  if (isSent) return;
  if (isCompanyRemoved || document === null || member === null || document.send_failure === null) {
    return cancelDirect(world, db, job.messageId);
  }
  const accountName = await readAccountName(db, job.accountId);
  const access = await accessTo(db, member, document);
  const notice = noticeOf(document, accountName, job, access, origin);
  const { messageId, accountId, documentId } = job;
  const message = { id: messageId, accountId, documentId, recipient: null, address: member.email } as const;
  await sendNotice(mail, { messageId, address: member.email }, notice, (outcome) =>
    recordDirectAttempt(world, db, { ...message, kind: 'schedule_failed', channel: 'email' }, outcome, isLastAttempt),
  );
}

function isAdmin({ role }: Pick<Member, 'role'>): boolean {
  return role !== 'member';
}

const texts = {
  en: {
    restricted: 'a restricted document',
    unseen: 'a document that you no longer see',
    subject: (title: string) => `Not sent: ${title}`,
    introduction: (title: string, account: string) =>
      `A document of ${account} was not sent at its scheduled time: ${title}`,
    reasons: {
      no_recipients: 'It has no recipients.',
      no_signers: 'It has no signer.',
      recipient_contact_required: 'A recipient has no e-mail address or phone number.',
      approver_requires_sequential: 'It has an approver, so it must be signed in order.',
      pay_app_unsigned: 'The document that it mirrors is not completed.',
      not_a_member: 'The person who scheduled it is no longer a member of the company.',
      not_allowed: 'The person who scheduled it may no longer send it.',
      failed: 'Sending failed several times.',
    },
    action: 'It was not sent. Open it to send it or to schedule it again:',
    forAdmins: 'It was not sent. An owner or admin can send it.',
  },
  es: {
    restricted: 'un documento restringido',
    unseen: 'un documento que usted ya no puede ver',
    subject: (title: string) => `No enviado: ${title}`,
    introduction: (title: string, account: string) =>
      `Un documento de ${account} no se envió a la hora programada: ${title}`,
    reasons: {
      no_recipients: 'No tiene destinatarios.',
      no_signers: 'No tiene ningún firmante.',
      recipient_contact_required: 'A un destinatario le falta el correo o el teléfono.',
      approver_requires_sequential: 'Tiene un aprobador, así que debe firmarse en orden.',
      pay_app_unsigned: 'El documento que refleja no está completado.',
      not_a_member: 'Quien lo programó ya no es miembro de la empresa.',
      not_allowed: 'Quien lo programó ya no puede enviarlo.',
      failed: 'El envío falló varias veces.',
    },
    action: 'No se ha enviado. Ábralo para enviarlo o programarlo de nuevo:',
    forAdmins: 'No se ha enviado. Un propietario o administrador puede enviarlo.',
  },
};

/** An e-mail never shows the title of a restricted document, nor of one that its addressee may not see. */
function noticeOf(
  document: Document,
  accountName: string,
  { language, failure }: ScheduleJob,
  access: FolderRole | null,
  origin: string,
): Notice {
  const { restricted, unseen, subject, introduction, reasons, action, forAdmins } = texts[language];
  const maySee = access !== null;
  const title = document.restricted_kind !== null ? restricted : maySee ? plain(document.title) : unseen;
  const link = maySee ? `${origin}/documents/${document.id}` : origin;
  const paragraphs = [
    introduction(title, plain(accountName)),
    reasons[failure],
    access === 'editor' ? action : forAdmins,
  ];
  return { language, subject: subject(title), paragraphs, link };
}

function plain(text: string): string {
  return withoutDirectionControls(oneLine(text));
}
