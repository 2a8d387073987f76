import { restrictDocument } from '../../src/documents/document-actions.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { createTemplate } from '../../src/documents/templates.ts';
import { operate } from '../api/operate.ts';
import { unlockedDraft } from '../console/sample-text.ts';
import { addMember, type Member, signedIn, type Visitor } from '../console/visitor.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { attachPdf } from '../support/attach.ts';
import { checkBulk } from '../support/bulk-send.ts';
import { createDataExport } from '../support/data-export.ts';
import { createPublicLink, visitLink } from '../support/public-link.ts';
import { type Company, createCompany, createDraft, createSent, type TestService } from '../support/service.ts';
import { signedWithUpload } from '../support/uploads.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { sealedDocument } from '../verify/sealed.ts';

/** Creates a company with one of everything that an id in a path can name. */
/** A day after the clock of the tests begins. */
export const sendAt = '2026-03-11T12:00:00Z';

export interface Tenant {
  company: Company;
  owner: Visitor;
  member: Visitor;
  ids: Ids;
  /** A word in every title and file name of this company only. */
  word: string;
}

export type Ids = Awaited<ReturnType<typeof createResources>>;

let passkeys = 0;

export async function createTenant(app: TestService, word: string): Promise<Tenant> {
  const company = await createCompany(app);
  const ownerMember = await addMember(app, company.id, 'owner');
  const owner = await signedIn(app, ownerMember);
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  const ids = await createResources(app, { company, owner, ownerMember, word });
  return { company, owner, member, ids, word };
}

interface Maker {
  company: Company;
  owner: Visitor;
  ownerMember: Member;
  word: string;
}

async function createResources(app: TestService, { company, owner, ownerMember, word }: Maker) {
  const { key } = company;
  const recipients = [{ name: `Ada ${word}`, email: `ada@${word}.example` }];
  const draft = (about = 'draft') => createDraft(app, key, { title: `${word} ${about}`, recipients });
  const withFile = async (about: string) => {
    const id = await draft(about);
    await attachPdf(app, company, id);
    return id;
  };
  const partyOf = async (id: string) => (await listRecipients(app.db, company.id, id))[0]?.id ?? '';
  const template = (about: string) =>
    app.db.transaction(async (tx) => {
      const body = { title: `${word} ${about}`, recipients };
      return (await createTemplate(app.world, tx, company.id, 'operator', body as never)).id;
    });
  const [prepared, sent, toRemind, inPerson, unlocked, sealed, restricted] = await Promise.all([
    withFile('prepared'),
    createSent(app, key, { title: `${word} sent`, recipients }),
    createSent(app, key, { title: `${word} to remind`, recipients }),
    createSent(app, key, { title: `${word} briefing`, recipients: [{ name: 'Mary', channel: 'in_person' }] }),
    unlockedDraft(app, company, undefined, `${word} unlocked`),
    sealedDocument(app, company, `sealed-${word}.example`, `${word} sealed`).then(({ id }) => id),
    withFile('restricted'),
  ]);
  await operate(app, restricted, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
  const csv = `Title,${word}\n${word} of Ada,${word}\n${'too long'.repeat(30)},${word}\n`;
  const bulkSend = await checkBulk(app, company, csv, { title: `${word} bulk`, recipients });
  const bulkSendToDelete = await checkBulk(app, company, csv, { templateId: bulkSend.templateId });
  const publicLink = await createPublicLink(app, company, { name: `${word} link` }, { title: `${word} party` });
  const linkTemplate = publicLink.template_id;
  const publicLinkToDelete = await createPublicLink(app, company, {}, { templateId: linkTemplate });
  const visitor = visitLink(app, publicLink);
  await visitor.post('verify', { code: await visitor.askCode(word, `guest@${word}.example`) });
  const scheduled = await draft('scheduled');
  await owner.post(`/documents/${scheduled}/schedule`, { version: 1, send_at: sendAt });
  const inReview = await withFile('in review');
  await owner.post(`/documents/${inReview}/review`);

  const pdf = new Uint8Array(aPdf());
  const files = [1, 2].map((number) => ({ name: `${word} ${number}.pdf`, bytes: pdf.length }));
  const upload = (await owner.post('/imports/uploads', { files, unlock_doc: false })).body;
  const [filed, open] = upload.items.map((item: string | { id: string }) =>
    typeof item === 'string' ? item : item.id,
  );
  await owner.upload(`/imports/${upload.id}/items/${filed}/file`, pdf);
  const [arrived] = (await owner.get(`/imports/${upload.id}/items?status=filed`)).body.data;

  const folder = (await owner.post('/folders', { name: `${word} folder`, is_open: false })).body.id as string;
  const folderMember = (await addMember(app, company.id, 'member')).id;
  await owner.post(`/folders/${folder}/members`, { member_id: folderMember, role: 'viewer' });
  const folderToDelete = (await owner.post('/folders', { name: `${word} other`, is_open: false })).body.id as string;

  const ccPeople = [{ name: `${word} copy`, email: `copy@${word}.example` }];
  const ccBody = (name: string) => ({ name: `${word} ${name}`, is_default: false, people: ccPeople });
  const ccList = (await owner.post('/cc-lists', ccBody('list'))).body.id as string;
  const ccListToDelete = (await owner.post('/cc-lists', ccBody('list to delete'))).body.id as string;

  const { id: webhook } = await createEndpoint(app, company.id, `https://${word}.example/hook`);
  const { id: delivery, event_id } = (await owner.post(`/webhooks/${webhook}/test`, { event: 'document.sent' })).body;
  await signedIn(app, ownerMember);
  const sessions = (await owner.get('/sessions')).body.data as Array<{ id: string; is_current: boolean }>;
  const passkey = app.world.newId();
  await app.db.query({
    name: '',
    text: `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at)
           values ($1, $2, $3, '\\x00', 0, '{}', $4, now())`,
    values: [passkey, ownerMember.personId, `credential-${++passkeys}`, word],
  });
  const dataExport = await createDataExport(owner);
  return {
    account: company.id,
    dataExport,
    prepared,
    preparedRecipient: await partyOf(prepared),
    edited: await draft('edited'),
    toSend: await draft('to send'),
    toVoid: await draft('to void'),
    toAttach: await draft('to attach'),
    toReview: await draft('to review'),
    toSchedule: await draft('to schedule'),
    scheduled,
    toUnlock: await withFile('to unlock'),
    inReview,
    sent,
    sentRecipient: await partyOf(sent),
    toRemind,
    recipientToRemind: await partyOf(toRemind),
    inPerson,
    inPersonRecipient: await partyOf(inPerson),
    unlocked,
    sealed,
    ...(await signedWithUpload(app, company, `${word} uploaded`, recipients)),
    restricted,
    template: await template('template'),
    templateToDelete: await template('template to delete'),
    bulkTemplate: bulkSend.templateId,
    bulkSend: bulkSend.id,
    bulkSendToDelete: bulkSendToDelete.id,
    linkTemplate,
    publicLink: publicLink.id,
    publicLinkToDelete: publicLinkToDelete.id,
    import: upload.id as string,
    item: open as string,
    imported: arrived?.document_id as string,
    webhook,
    delivery: delivery as string,
    event: event_id as string,
    folder,
    folderMember,
    folderToDelete,
    ccList,
    ccListToDelete,
    key: (await company.keyWith(['documents:read'])).id,
    member: (await addMember(app, company.id, 'member')).id,
    session: sessions.find(({ is_current }) => !is_current)?.id ?? '',
    passkey,
  };
}
