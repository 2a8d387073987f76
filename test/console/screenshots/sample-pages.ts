import { mintSignInLink } from '../../../src/identity/sign-in-link.ts';
import { measureStorage } from '../../../src/operators/measure-storage.ts';
import { createOperator, operatorSignedIn } from '../../operator/operator-company.ts';
import { csvOf, startBulk } from '../../support/bulk-send.ts';
import { createPublicLink } from '../../support/public-link.ts';
import type { Receiver } from '../../support/receiver.ts';
import { createCompany, createDraft, type TestService } from '../../support/service.ts';
import { createSampleDocuments } from '../sample-company.ts';
import { createSampleImports, type ImportOrigins } from '../sample-imports.ts';
import { createSampleKeeping } from '../sample-keeping.ts';
import { createSampleSettings } from '../sample-settings.ts';
import { createSampleTexts } from '../sample-text.ts';
import { addMember, type Member, signedIn, type Visitor } from '../visitor.ts';
import type { Sitter } from './shots.ts';

export interface SamplePages {
  /** The samples by the names that paths of shots have in braces. */
  ids: Record<string, string>;
  /** Signs in. A guest does not. */
  signIn: (sitter: Exclude<Sitter, 'guest'>) => Promise<Visitor>;
}

/** Creates companies with something to see on every page. */
export async function createSamplePages(
  app: TestService,
  receiver: Receiver,
  origins: ImportOrigins,
): Promise<SamplePages> {
  const [company, other, mover, sender] = [
    await createCompany(app),
    await createCompany(app),
    await createCompany(app),
    await createCompany(app),
  ];
  const documents = await createSampleDocuments(app, company);
  const keeping = await createSampleKeeping(app, company, documents);
  const { webhook } = await createSampleSettings(app, other, receiver);
  const imports = await createSampleImports(app, mover, origins);
  const texts = await createSampleTexts(app, sender);
  const members: Record<Exclude<Sitter, 'guest' | 'operator'>, Member> = {
    documents: await addMember(app, company.id, 'owner', 'ruth@example.com'),
    imports: await addMember(app, mover.id, 'owner', 'grace-hopper@example.com'),
    uploads: await addMember(app, sender.id, 'member', 'mary@example.com'),
    settings: await addMember(app, other.id, 'owner', 'ada@example.com'),
  };

  const [ruth, ada] = [await signedIn(app, members.documents), await signedIn(app, members.settings)];
  const folder = (await ruth.post('/folders', { name: 'Personnel', is_open: false })).body.id;
  const employment = await createDraft(app, company.key, { title: 'Employment contract: Joan Clarke' });
  await ruth.post('/documents/move', { ids: [employment], folder });
  const legal = (await ada.post('/folders', { name: 'Legal', is_open: false })).body.id;
  const bulk = await startBulk(app, company, await app.queue(), csvOf(12), { title: 'Lease of a parking space' });
  const link = await createPublicLink(app, company, { name: 'Summer party' });
  const ended = await createPublicLink(app, company, { name: 'Winter party' });
  await app.db.query({ name: '', text: 'update public_links set is_on = false where id = $1', values: [ended.id] });

  const ops = await createOperator(app);
  await measureStorage(app.world, app.db);
  const newcomer = await addMember(app, other.id, 'member', 'joan@example.com');
  const signInToken = await mintSignInLink(app.world, app.db, newcomer.personId, 'operator');
  return {
    ids: {
      ...documents,
      ...keeping,
      ...imports,
      ...texts,
      webhook: webhook.id,
      company: company.id,
      folder,
      legal,
      bulk: bulk.id,
      bulkTemplate: bulk.templateId,
      link: link.id,
      linkTemplate: link.template_id,
      linkToken: link.token,
      endedToken: ended.token,
      signInToken,
    },
    signIn: (sitter) => (sitter === 'operator' ? operatorSignedIn(app, ops) : signedIn(app, members[sitter])),
  };
}
