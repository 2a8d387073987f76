import { accessTo } from '../accounts/document-access.ts';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers, type Member } from '../accounts/members.ts';
import { cancelDirect, isDirectSent, type MemberMailDeps, recordDirectAttempt } from '../messages/direct-message.ts';
import type { JobQueue, ReviewJob } from '../messages/job-queue.ts';
import { type Notice, sendNotice } from '../messages/notice.ts';
import { isSameEmail } from '../platform/canonical-email.ts';
import { oneLine, withoutDirectionControls } from '../platform/mail-text.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';
import { findDocumentInAccount } from './queries.ts';
import { isRemoved } from './reminders.ts';

type Step = Pick<ReviewJob, 'by' | 'language'>;
type Reviewed = Pick<Document, 'id' | 'account_id'>;

/**
 * Enqueues an e-mail to each owner and admin except the submitter. Runs in the transaction that submits the document for
 * review.
 */
export async function notifyReviewers(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Reviewed,
  step: Step,
): Promise<void> {
  const members = await listMembers(tx, document.account_id);
  const reviewers = members.filter((member) => isReviewer(member) && !isSame(member, step.by));
  await enqueueNotices(world, tx, queue, document, reviewers, { ...step, occasion: 'submitted' });
}

/**
 * Enqueues an e-mail to the member who submitted the document, unless they returned it themselves. Runs in the transaction
 * that returns the document to draft. `submitter`: the member's e-mail address.
 */
export async function notifySubmitter(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Reviewed,
  submitter: string,
  step: Step,
): Promise<void> {
  const members = await listMembers(tx, document.account_id);
  const submitters = members.filter((member) => isSame(member, submitter) && !isSame(member, step.by));
  await enqueueNotices(world, tx, queue, document, submitters, { ...step, occasion: 'returned' });
}

async function enqueueNotices(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { account_id, id }: Reviewed,
  members: readonly Member[],
  step: Step & Pick<ReviewJob, 'occasion'>,
): Promise<void> {
  if (members.length === 0) return;
  const job = { name: 'tell-of-review', accountId: account_id, documentId: id } as const;
  await queue.enqueue(
    tx,
    members.map((member) => ({ ...job, messageId: world.newId(), memberId: member.id, ...step })),
  );
}

/**
 * Sends the e-mail of one job. Skips it if it no longer applies. Throws if the mail server is unavailable, so that the queue
 * retries the job.
 */
export async function sendReviewNotice(
  db: Queryable,
  { world, mail, origin, isLastAttempt }: MemberMailDeps,
  job: ReviewJob,
): Promise<void> {
  const [document, member, isCompanyRemoved, isSent] = await Promise.all([
    findDocumentInAccount(db, job.accountId, job.documentId),
    findMember(db, job.memberId),
    isRemoved(db, job.accountId),
    isDirectSent(db, job.messageId),
  ]);
  if (isSent) return;
  if (isCompanyRemoved || document === null || member === null || !(await stillApplies(db, job, document, member))) {
    return cancelDirect(world, db, job.messageId);
  }
  const accountName = await readAccountName(db, job.accountId);
  const notice = noticeOf(document, accountName, job, `${origin}/documents/${document.id}`);
  const { messageId, accountId, documentId, occasion } = job;
  const message = { id: messageId, accountId, documentId, recipient: null, address: member.email } as const;
  await sendNotice(mail, { messageId, address: member.email }, notice, (outcome) =>
    recordDirectAttempt(
      world,
      db,
      { ...message, kind: `review_${occasion}`, channel: 'email' },
      outcome,
      isLastAttempt,
    ),
  );
}

/** Returns whether the document is still in the state of the notice and the member may see it. */
async function stillApplies(
  db: Queryable,
  { occasion }: ReviewJob,
  document: Document,
  member: Member,
): Promise<boolean> {
  if (occasion === 'submitted') return document.status === 'in_review' && isReviewer(member);
  return document.status === 'draft' && (await accessTo(db, member, document)) !== null;
}

function isReviewer({ role }: Member): boolean {
  return role === 'owner' || role === 'admin';
}

function isSame({ email }: Member, other: string | null): boolean {
  return other !== null && isSameEmail(email, other);
}

const texts = {
  en: {
    operator: 'The operator of this service',
    restricted: 'a restricted document',
    submitted: {
      subject: (title: string) => `For review: ${title}`,
      introduction: (who: string, title: string, account: string) =>
        `${who} has submitted a document of ${account} for review: ${title}`,
      action: 'Read it. Then send it, or return it to draft with a note:',
    },
    returned: {
      subject: (title: string) => `Returned to draft: ${title}`,
      introduction: (who: string, title: string, account: string) =>
        `${who} has returned a document of ${account} that you submitted for review: ${title}`,
      action: 'Read the note, change the document, and submit it again:',
    },
  },
  es: {
    operator: 'El operador de este servicio',
    restricted: 'un documento restringido',
    submitted: {
      subject: (title: string) => `Para revisar: ${title}`,
      introduction: (who: string, title: string, account: string) =>
        `${who} ha presentado a revisión un documento de ${account}: ${title}`,
      action: 'Léalo, y envíelo o devuélvalo a borrador con una nota:',
    },
    returned: {
      subject: (title: string) => `Devuelto a borrador: ${title}`,
      introduction: (who: string, title: string, account: string) =>
        `${who} ha devuelto a borrador un documento de ${account} que usted presentó a revisión: ${title}`,
      action: 'Lea la nota, cambie el documento y preséntelo de nuevo:',
    },
  },
};

/** An e-mail never shows the title of a restricted document. */
function noticeOf(
  document: Document,
  accountName: string,
  { by, language, occasion }: ReviewJob,
  link: string,
): Notice {
  const { operator, restricted, [occasion]: text } = texts[language];
  const title = document.restricted_kind === null ? plain(document.title) : restricted;
  const introduction = text.introduction(by ?? operator, title, plain(accountName));
  return { language, subject: text.subject(title), paragraphs: [introduction, text.action], link };
}

function plain(text: string): string {
  return withoutDirectionControls(oneLine(text));
}
