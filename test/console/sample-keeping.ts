import { makeMirror } from '../../src/documents/make-mirror.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { attachPdf } from '../support/attach.ts';
import { type Company, createDraft, type TestService } from '../support/service.ts';
import { leasePage, type SampleDocuments } from './sample-company.ts';
import { addMember, signedIn } from './visitor.ts';

export interface SampleKeeping {
  /** A document that a member submitted for the second time. */
  reviewed: string;
  /** A mirror of the lease, which is not completed yet. */
  mirror: string;
}

/** Creates documents that wait for a decision within the company. */
export async function createSampleKeeping(
  app: TestService,
  company: Company,
  { lease }: SampleDocuments,
): Promise<SampleKeeping> {
  const alan = await signedIn(app, await addMember(app, company.id, 'member', 'alan@example.com'));
  const grace = await signedIn(app, await addMember(app, company.id, 'admin', 'grace.hopper@example.com'));
  const submitted = async (title: string) => {
    const id = await createDraft(app, company.key, { title, type: 'estimate' });
    await attachPdf(app, company, id, { pages: [leasePage('Estimate')] });
    await alan.post(`/documents/${id}/review`);
    return id;
  };
  const reviewed = await submitted('Estimate: gutters, north side');
  const note = 'The price is that of last year. Please take the new list, and add the crane.';
  await grace.post(`/documents/${reviewed}/return`, { note });
  app.clock.advance({ minutes: 40 });
  await alan.post(`/documents/${reviewed}/review`);
  const mirror = await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, lease, 'all');
    if (document === null) throw new Error('there is no lease');
    return (await makeMirror(app.world, tx, document, 'operator')).id;
  });
  return { reviewed, mirror };
}
