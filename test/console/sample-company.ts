import { listRecipients } from '../../src/documents/queries.ts';
import { createTemplate } from '../../src/documents/templates.ts';
import type { PagePlan } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { type Company, call, createDraft, createSent, eventually, type TestService } from '../support/service.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
const alan = { name: 'Alan Turing', email: 'alan@example.com' };

export interface SampleDocuments {
  /** A document with a PDF, signed by one of two signers. */
  lease: string;
  draft: string;
  completed: string;
  inPerson: string;
  /** A draft with a PDF and fields on it. */
  prepared: string;
  /** A template with a PDF, two roles and a cc who always gets a copy. */
  template: string;
}

/** Creates a company with a document in every state that members see. */
export async function createSampleDocuments(app: TestService, company: Company): Promise<SampleDocuments> {
  const { key } = company;
  const hours = (n: number) => app.clock.advance({ hours: n });
  const declined = await createSent(app, key, {
    title: 'Change order 4: skylights',
    type: 'change_order',
    recipients: [alan],
  });
  await act(app, company, declined, 'Alan Turing', 'decline', { reason: 'The price is not the one we agreed on.' });
  hours(30);
  await createSent(app, key, { title: 'Notice to owner', type: 'notice_to_owner', recipients: [grace] });
  hours(20);
  const completed = await createSent(app, key, {
    title: 'Subcontract: electrical works',
    type: 'contract',
    recipients: [ada],
  });
  await sign(app, company, completed, 'Ada Lovelace');
  await eventually(
    () => call(app, 'GET', `/documents/${completed}`, { key }),
    ({ body }) => body.status === 'completed',
  );
  hours(9);
  const lease = await createDraft(app, key, {
    title: 'Lease: 12 Harbour Street',
    type: 'contract',
    recipients: [
      { ...ada, role: 'Tenant' },
      { ...grace, role: 'Landlord' },
      { name: 'Records office', email: 'records@example.com', role: 'cc' },
    ],
    content: { message: 'Please read and sign by Friday. Call me with any question.', expires_in_days: 14 },
  });
  await attachPdf(app, company, lease, { pages: [leasePage('Lease agreement'), leasePage('House rules')] });
  const [tenants] = await placeOn(app, company, lease, [
    { recipient: 1, type: 'signature' },
    { recipient: 2, type: 'signature' },
  ]);
  await call(app, 'POST', `/documents/${lease}/send`, { key });
  hours(2);
  await sign(app, company, lease, 'Ada Lovelace', { [tenants?.id ?? '']: 'true' });
  hours(1);
  const inPerson = await createSent(app, key, {
    title: 'Safety briefing, site 7',
    type: 'safety_acknowledgment',
    recipients: [{ name: 'Mary Jackson', channel: 'in_person' }],
  });
  const draft = await createDraft(app, key, {
    title: 'Estimate: roof repair',
    type: 'estimate',
    recipients: [alan, grace, ada, { name: 'Katherine Johnson', email: 'katherine@example.com' }],
    content: { message: 'As discussed on the phone.' },
  });
  const prepared = await createDraft(app, key, { title: 'Lease: garden shed', recipients: [alan, grace] });
  await attachPdf(app, company, prepared, { pages: [leasePage('Lease agreement')] });
  await placeOn(app, company, prepared, [
    { recipient: 1, type: 'signature' },
    { recipient: 2, type: 'date' },
  ]);
  const template = await createSampleTemplate(app, company);
  return { lease, draft, completed, inPerson, prepared, template };
}

async function createSampleTemplate(app: TestService, company: Company): Promise<string> {
  const make = (title: string, names: string[]) =>
    app.db.transaction((tx) => {
      const roles = names.map((name) => ({ name, role: name }));
      const office = { name: 'Records office', email: 'records@example.com', role: 'cc' };
      const body = { title, type: 'contract', recipients: [...roles, office] } as const;
      return createTemplate(app.world, tx, company.id, 'operator', { ...body, recipients: [...body.recipients] });
    });
  await make('Subcontract: standard terms', ['Subcontractor']);
  const { id } = await make('Lease of a flat', ['Tenant', 'Landlord']);
  await attachPdf(app, company, id, { pages: [leasePage('Lease agreement'), leasePage('House rules')] });
  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature' },
    { recipient: 2, type: 'signature' },
  ]);
  return id;
}

export function sign(
  app: TestService,
  company: Company,
  id: string,
  name: string,
  fields: Record<string, string> = {},
): Promise<void> {
  return act(app, company, id, name, 'sign', { full_name: name, signature: { kind: 'typed' }, fields });
}

const clauses = [
  'The landlord lets the house at 12 Harbour Street to the tenant.',
  'The lease begins on the first of May and runs for two years.',
  'The rent is due on the third working day of each month.',
  'The tenant keeps the garden as it was handed over.',
];

export function leasePage(title: string): PagePlan {
  const lines = Array.from({ length: 24 }, (_, index) => clauses[index % clauses.length]);
  const text = `BT /F1 22 Tf 72 700 Td (${title}) Tj /F1 11 Tf 0 -260 Td ${lines.map((line) => `(${line}) Tj 0 -16 Td`).join(' ')} ET`;
  return { content: { entries: '', bytes: Buffer.from(text) } };
}

async function act(app: TestService, company: Company, id: string, name: string, verb: string, body: object) {
  const recipient = (await listRecipients(app.db, company.id, id)).find(({ display_name }) => display_name === name);
  if (recipient === undefined) throw new Error(`${name} is not on the document`);
  const link = await mintSigningLink(app.world, app.db, new URL(app.baseUrl).origin, recipient);
  await fetch(`${link}/viewed`, { method: 'POST', body: '{}' });
  const response = await fetch(`${link}/${verb}`, { method: 'POST', body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${name} could not ${verb}: ${await response.text()}`);
}
