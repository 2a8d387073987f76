import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachFile } from '../../src/documents/attach-file.ts';
import { expireDocuments } from '../../src/documents/expire-documents.ts';
import type { NewFile } from '../../src/documents/new-file.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { sendScheduled } from '../../src/documents/send-scheduled.ts';
import { storeFile } from '../../src/documents/stored-files.ts';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { operate } from '../api/operate.ts';
import type { Visitor } from '../console/visitor.ts';
import { signature as adasSignature, openLinkOf, type Signer } from '../signing/signer.ts';
import { filesOf, placeOn } from '../support/attach.ts';
import { type Answer, type Company, call, createDraft, type TestService } from '../support/service.ts';

/** A document for a pair of verbs, with what they need, read before either begins. */
export interface Subject {
  id: string;
  /** Ada's recipient, before a reassignment. */
  place: string;
  /** Ada's text field. */
  field: string;
  version: number;
  ada: Signer | null;
  alan: Signer | null;
}

export interface Bench {
  app: TestService;
  company: Company;
  owner: Visitor;
  file: NewFile;
}

export type Verb = (bench: Bench, subject: Subject) => Promise<Answer | undefined>;

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const alan = { name: 'Alan Turing', email: 'alan@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
const recipients = [ada, alan];

/** The states that a pair begins in. */
export const states = {
  draft: (bench: Bench) => createSubject(bench, { recipients }, false),
  in_review: async (bench: Bench) => {
    const subject = await createSubject(bench, { recipients }, false);
    await mustSucceed(bench.owner.post(`/documents/${subject.id}/review`));
    return { ...subject, version: await versionOf(bench, subject.id) };
  },
  /** Its time has come, and no worker has sent it yet. */
  scheduled: async (bench: Bench) => {
    const subject = await createSubject(bench, { recipients }, false);
    await mustSucceed(scheduleIt(bench, subject));
    const { app } = bench;
    const text = 'update documents set send_at = $2 where id = $1';
    await app.db.query({ name: '', text, values: [subject.id, app.clock.now()] });
    return { ...subject, version: await versionOf(bench, subject.id) };
  },
  sent: (bench: Bench) => createSubject(bench, { recipients, content: { expires_in_days: 3 } }, true),
  /** Ada approves, then Alan signs. */
  approving: (bench: Bench) => {
    const content = { sign_order_mode: 'sequential', expires_in_days: 3 };
    return createSubject(bench, { recipients: [{ ...ada, role: 'approver' }, alan], content }, true);
  },
} satisfies Record<string, (bench: Bench) => Promise<Subject>>;

export type State = keyof typeof states;

const owner =
  (path: (subject: Subject) => string, body: (subject: Subject) => object = () => ({})): Verb =>
  (bench, subject) =>
    bench.owner.post(path(subject), body(subject));
const aboutIt = (action: string) => (subject: Subject) => `/documents/${subject.id}${action}`;
const signing =
  (who: 'ada' | 'alan', action: string, body: (subject: Subject) => object = () => ({})): Verb =>
  async (_bench, subject) =>
    subject[who]?.post(action, body(subject));

const scheduleIt = ({ app, owner }: Bench, { id, version }: Subject) => {
  const sendAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  return owner.post(`/documents/${id}/schedule`, { version, send_at: sendAt });
};

/** Everything that changes a document, through the API or pages where possible. */
export const verbs = {
  sign: signing('ada', 'sign', () => adasSignature),
  signSecond: signing('alan', 'sign', () => ({ ...adasSignature, full_name: alan.name })),
  decline: signing('ada', 'decline', () => ({ reason: 'The price is wrong' })),
  view: signing('ada', 'viewed'),
  saveProgress: signing('ada', 'progress', ({ field }) => ({ fields: { [field]: 'So far' } })),
  reassign: owner(
    ({ id, place }) => `/documents/${id}/recipients/${place}/reassign`,
    () => grace,
  ),
  remind: owner(aboutIt('/remind')),
  send: owner(aboutIt('/send'), ({ version }) => ({ version })),
  sendByKey: ({ app, company }, { id }) => call(app, 'POST', `/documents/${id}/send`, { key: company.key }),
  schedule: scheduleIt,
  unschedule: ({ owner }, { id }) => owner.call('DELETE', `/documents/${id}/schedule`),
  sendDue: async ({ app }) => {
    await sendScheduled(app.world, app.db, await app.queue());
    return undefined;
  },
  void: owner(aboutIt('/void'), () => ({ reason: 'Wrong price' })),
  edit: owner(aboutIt(''), ({ version, place }) => ({
    version,
    title: 'Roof and gutter repair',
    recipients: [{ ...ada, id: place }],
  })),
  attach: async ({ app, file }, { id }) => {
    await operate(app, id, async (tx, document) => {
      await attachFile(app.world, tx, document, 'operator', file);
    });
    return undefined;
  },
  setFields: owner(aboutIt('/fields'), ({ version }) => ({ version, fields: [] })),
  restrict: owner(
    () => '/restricted-papers',
    ({ id }) => ({ document_id: id, kind: 'pay' }),
  ),
  liftRestriction: owner(aboutIt('/lift-restriction')),
  review: owner(aboutIt('/review')),
  returnToDraft: owner(aboutIt('/return'), () => ({ note: 'The price is missing' })),
  saveAsTemplate: owner(aboutIt('/template')),
  mirror: owner(aboutIt('/mirror')),
  /** Moves past the expiry date and runs the job. */
  expire: async ({ app }, { id }) => {
    await app.db.query({
      name: '',
      text: 'update documents set expires_at = $2 where id = $1',
      values: [id, app.clock.now()],
    });
    await expireDocuments(app.world, app.db, await app.queue());
    return undefined;
  },
} satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;

async function createSubject(bench: Bench, body: object, isSent: boolean): Promise<Subject> {
  const { app, company, file } = bench;
  const id = await createDraft(app, company.key, body);
  await operate(app, id, async (tx, document) => {
    await attachFile(app.world, tx, document, 'operator', file);
  });
  const isApproval = JSON.stringify(body).includes('approver');
  const [field] = await placeOn(app, company, id, [{ recipient: isApproval ? 2 : 1, type: 'text', required: false }]);
  if (isSent) await mustSucceed(call(app, 'POST', `/documents/${id}/send`, { key: company.key }));
  const [place] = await listRecipients(app.db, company.id, id);
  const open = (name: string) => (isSent ? openLinkOf(app, company, id, name) : null);
  return {
    id,
    place: place?.id ?? '',
    field: isApproval ? '' : (field?.id ?? ''),
    version: await versionOf(bench, id),
    ada: await open(ada.name),
    alan: await open(alan.name),
  };
}

async function versionOf({ app }: Bench, id: string): Promise<number> {
  const [row] = await app.db.query<{ audit_seq: number }>({
    name: '',
    text: 'select audit_seq from documents where id = $1',
    values: [id],
  });
  return row?.audit_seq ?? 0;
}

async function mustSucceed(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`refused: ${text}`);
}

/** A one-page PDF in the store, which is attached repeatedly. */
export async function storedFile(app: TestService): Promise<NewFile> {
  const directory = await mkdtemp(join(tmpdir(), 'races-'));
  try {
    const bytes = makePdf({});
    const path = join(directory, 'lease.pdf');
    await writeFile(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest();
    const pages = [{ width: 612, height: 792 }];
    const file: NewFile = { sha256, bytes: bytes.length, name: 'Lease.pdf', pages, isSigned: false };
    await storeFile(app.world, app.db, filesOf(app), file, path);
    return file;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
