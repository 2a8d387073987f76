import { addCredits } from '../../src/accounts/manage-accounts.ts';
import { type DrawnPage, drawPages, lines } from '../../src/unlock/convert/testing/draw-pages.ts';
import { attachPdf } from '../support/attach.ts';
import { type Company, createDraft, eventually, type TestService } from '../support/service.ts';
import { addMember, signedIn } from './visitor.ts';

const clauses = [
  'The landlord lets the house at 12 Harbour Street to the tenant, who may',
  'live there with their family, and with nobody else unless both agree.',
];

/** A PDF with a heading, paragraphs, a list and a table. */
export const leaseText: DrawnPage = {
  texts: [
    { x: 72, y: 90, text: 'Lease agreement', size: 22 },
    ...lines(72, 130, clauses),
    { x: 72, y: 180, text: 'Rent', size: 15 },
    ...lines(72, 205, ['• The rent is due on the third working day.', '• It is paid to the account named below.']),
    ...['Month', 'Rent', 'Water'].map((text, column) => ({ x: 72 + column * 150, y: 260, text, bold: true })),
    ...['January', '1,200', '40'].map((text, column) => ({ x: 72 + column * 150, y: 276, text })),
    ...['February', '1,200', '44'].map((text, column) => ({ x: 72 + column * 150, y: 292, text })),
    ...lines(72, 340, ['Signed in two copies, one for each of the parties.']),
  ],
};

export const rulesText: DrawnPage = {
  texts: [
    { x: 72, y: 90, text: 'House rules', size: 22 },
    ...lines(72, 130, ['The garden is kept as it was handed over.']),
    ...lines(72, 160, ['Bicycles stand in the yard.']),
  ],
};

/** A draft whose PDF is attached, and not unlocked. */
export async function draftWithText(
  app: TestService,
  company: Company,
  pages: DrawnPage[] = [leaseText, rulesText],
  title = 'Lease: 12 Harbour Street',
  extra?: Parameters<typeof drawPages>[1],
): Promise<string> {
  const id = await createDraft(app, company.key, { title });
  await attachPdf(app, company, id, drawPages(pages, extra));
  return id;
}

/** Creates the same draft, unlocked. */
export async function unlockedDraft(
  app: TestService,
  company: Company,
  ...drawn: [pages?: DrawnPage[], title?: string, extra?: Parameters<typeof drawPages>[1]]
): Promise<string> {
  const id = await draftWithText(app, company, ...drawn);
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 1000));
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  const { body } = await admin.get(`/documents/${id}/unlock`);
  await admin.post(`/documents/${id}/unlock`, { pages: body.pages });
  await eventually(
    () => admin.get(`/documents/${id}/unlock`),
    (answer) => answer.body.status === 'unlocked',
  );
  return id;
}

export interface SampleTexts {
  locked: string;
  unlocked: string;
}

/** A draft that can be unlocked, and one that is. */
export async function createSampleTexts(app: TestService, company: Company): Promise<SampleTexts> {
  return { locked: await draftWithText(app, company), unlocked: await unlockedDraft(app, company) };
}
