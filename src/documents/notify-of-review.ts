import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers, type Member } from '../accounts/members.ts';
import { html } from '../http/html.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { isSameEmail } from '../world/canonical-email.ts';
import type { MailSender } from '../world/mail.ts';
import { oneLine, withoutDirectionControls } from '../world/mail-text.ts';
import type { World } from '../world/world.ts';
import type { Document } from './document.ts';
import type { JobQueue, ReviewJob } from './messages.ts';
import { findDocumentInAccount } from './queries.ts';

type Step = Pick<ReviewJob, 'by' | 'language'>;
type Reviewed = Pick<Document, 'id' | 'account_id'>;

/** Owners and admins, in the transaction that submits the document. Nobody is told of what they did themselves. */
export async function notifyReviewers(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Reviewed,
  step: Step,
): Promise<void> {
  const members = await listMembers(tx, document.account_id);
  const reviewers = members.filter((member) => isReviewer(member) && !isSame(member, step.by));
  await owe(world, tx, queue, document, reviewers, { ...step, occasion: 'submitted' });
}

/** Who submitted it, by e-mail address, in the transaction that returns the document to draft. */
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
  await owe(world, tx, queue, document, submitters, { ...step, occasion: 'returned' });
}

async function owe(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { account_id, id }: Reviewed,
  members: readonly Member[],
  step: Step & Pick<ReviewJob, 'occasion'>,
): Promise<void> {
  if (members.length === 0) return;
  const to = { name: 'tell-of-review', accountId: account_id, documentId: id } as const;
  await queue.enqueue(
    tx,
    members.map((member) => ({ ...to, messageId: world.newId(), memberId: member.id, ...step })),
  );
}

/** Throws when the mail server is out of reach, so that the queue tries again. */
export async function sendReviewNotice(db: Queryable, mail: MailSender, origin: string, job: ReviewJob): Promise<void> {
  const [document, member] = await Promise.all([
    findDocumentInAccount(db, job.accountId, job.documentId),
    findMember(db, job.memberId),
  ]);
  if (document === null || member === null || !concerns(job, document, member)) return;
  const accountName = await readAccountName(db, job.accountId);
  const words = wordsOf(document, accountName, job, `${origin}/documents/${document.id}`);
  const outcome = await mail.send({ id: job.messageId, to: { name: '', address: member.email }, ...words });
  if (outcome.kind === 'unavailable') throw new Error(`a member could not be told yet: ${outcome.reason}`);
}

/** Still: what has been decided meanwhile is told to nobody, and a sensitive paper to no member who may not see it. */
function concerns({ occasion }: ReviewJob, { status, restricted_kind }: Document, member: Member): boolean {
  if (occasion === 'submitted') return status === 'in_review' && isReviewer(member);
  return status === 'draft' && (restricted_kind === null || isReviewer(member));
}

function isReviewer({ role }: Member): boolean {
  return role === 'owner' || role === 'admin';
}

function isSame({ email }: Member, other: string | null): boolean {
  return other !== null && isSameEmail(email, other);
}

const wording = {
  en: {
    operator: 'The operator of this service',
    sensitive: 'a sensitive paper',
    submitted: {
      subject: (title: string) => `For review: ${title}`,
      introduction: (who: string, title: string, account: string) =>
        `${who} has submitted a document of ${account} for review: ${title}`,
      action: 'Read it, and send it or return it to draft with a note:',
    },
    returned: {
      subject: (title: string) => `Returned to draft: ${title}`,
      introduction: (who: string, title: string, account: string) =>
        `${who} has returned a document of ${account} to draft that you submitted for review: ${title}`,
      action: 'Read the note, change the document, and submit it again:',
    },
  },
  es: {
    operator: 'El operador de este servicio',
    sensitive: 'un documento reservado',
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

/** What a sensitive paper is called stays in the console. */
function wordsOf(document: Document, accountName: string, { by, language, occasion }: ReviewJob, url: string) {
  const { operator, sensitive, [occasion]: words } = wording[language];
  const title = document.restricted_kind === null ? plain(document.title) : sensitive;
  const paragraphs = [words.introduction(by ?? operator, title, plain(accountName)), words.action];
  return {
    subject: words.subject(title),
    text: `${paragraphs.join('\n\n')}\n\n  ${url}\n`,
    html: html`<!doctype html><html lang="${language}"><body>${paragraphs.map((text) => html`<p>${text}</p>`)}
<p><a href="${url}">${url}</a></p></body></html>`.toString(),
  };
}

function plain(text: string): string {
  return withoutDirectionControls(oneLine(text));
}
