import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers, type Member } from '../accounts/members.ts';
import { html } from '../http/html.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { MailSender } from '../world/mail.ts';
import { oneLine, withoutDirectionControls } from '../world/mail-text.ts';
import type { World } from '../world/world.ts';
import type { Document, Language } from './document.ts';
import type { JobQueue } from './messages.ts';
import { findDocumentOf } from './queries.ts';

/** One e-mail to one owner or admin: a retry then repeats no other's. `messageId` stays the same over retries. */
export interface ReviewJob {
  name: 'tell-reviewer';
  messageId: string;
  accountId: string;
  documentId: string;
  memberId: string;
  /** The e-mail address of the member; null: the operator. */
  submittedBy: string | null;
  language: Language;
}

type Submission = Pick<ReviewJob, 'submittedBy' | 'language'>;

/** In the transaction that submits the document for review. Nobody is told of what they did themselves. */
export async function tellReviewers(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { account_id, id }: Pick<Document, 'id' | 'account_id'>,
  submission: Submission,
): Promise<void> {
  const submitter = submission.submittedBy?.toLowerCase();
  const reviewers = (await listMembers(tx, account_id)).filter(
    (member) => isReviewer(member) && member.email.toLowerCase() !== submitter,
  );
  if (reviewers.length === 0) return;
  await queue.enqueue(
    tx,
    reviewers.map((member) => ({
      name: 'tell-reviewer',
      messageId: world.newId(),
      accountId: account_id,
      documentId: id,
      memberId: member.id,
      ...submission,
    })),
  );
}

/** Throws when the mail server is out of reach, so that the queue tries again. */
export async function tellReviewer(db: Queryable, mail: MailSender, origin: string, job: ReviewJob): Promise<void> {
  const [document, member] = await Promise.all([
    findDocumentOf(db, job.accountId, job.documentId),
    findMember(db, job.memberId),
  ]);
  if (document?.status !== 'in_review' || member === null || !isReviewer(member)) return;
  const accountName = await readAccountName(db, job.accountId);
  const request = requestOf(document, accountName, job, `${origin}/documents/${document.id}`);
  const outcome = await mail.send({ id: job.messageId, to: { name: '', address: member.email }, ...request });
  if (outcome.kind === 'unavailable') throw new Error(`a reviewer could not be told yet: ${outcome.reason}`);
}

function isReviewer({ role }: Member): boolean {
  return role === 'owner' || role === 'admin';
}

const wording = {
  en: {
    operator: 'The operator of this service',
    sensitive: 'a sensitive paper',
    subject: (title: string) => `For review: ${title}`,
    introduction: (who: string, title: string, account: string) =>
      `${who} has submitted a document of ${account} for review: ${title}`,
    action: 'Read it, and send it or return it to draft with a note:',
  },
  es: {
    operator: 'El operador de este servicio',
    sensitive: 'un documento reservado',
    subject: (title: string) => `Para revisar: ${title}`,
    introduction: (who: string, title: string, account: string) =>
      `${who} ha presentado a revisión un documento de ${account}: ${title}`,
    action: 'Léalo, y envíelo o devuélvalo a borrador con una nota:',
  },
};

/** What a sensitive paper is called stays in the console. */
function requestOf(document: Document, accountName: string, { submittedBy, language }: Submission, url: string) {
  const { operator, sensitive, subject, introduction, action } = wording[language];
  const title = document.restricted_kind === null ? plain(document.title) : sensitive;
  const paragraphs = [introduction(submittedBy ?? operator, title, plain(accountName)), action];
  return {
    subject: subject(title),
    text: `${paragraphs.join('\n\n')}\n\n  ${url}\n`,
    html: html`<!doctype html><html lang="${language}"><body>${paragraphs.map((text) => html`<p>${text}</p>`)}
<p><a href="${url}">${url}</a></p></body></html>`.toString(),
  };
}

function plain(text: string): string {
  return withoutDirectionControls(oneLine(text));
}
