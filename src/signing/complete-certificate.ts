import type { Document } from '../documents/document.ts';
import { lockDocumentShared } from '../documents/queries.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import type { SealInput } from '../sealing/seal-input.ts';
import { loadSealInput } from './load-seal-input.ts';

/** Draws a certificate as a PDF, in a process of its own. */
export type DrawCertificate = (input: SealInput) => Promise<Uint8Array>;

/** Whether a document has a complete certificate. It has none once a person was erased in it: see `completeCertificate`. */
export function mayHaveCompleteCertificate({ sealed_at, is_migrated }: Document): boolean {
  return sealed_at !== null && !is_migrated;
}

/**
 * Makes the complete certificate of a sealed document, for the members who may see the document. It shows the contact details,
 * IP addresses and devices that the sealed PDF may hide, and has embedded what opens the hashes in the sealed PDF. Throws a
 * `Refusal` when there is none.
 */
export async function completeCertificate(
  world: World,
  db: Database,
  draw: DrawCertificate,
  document: Document,
  verifyAddress: string,
): Promise<Buffer> {
  if (!mayHaveCompleteCertificate(document))
    throw new Refusal('only documents that were sealed here have a certificate');
  const input = await db.transaction(async (tx) => {
    // Nobody is erased meanwhile.
    await lockDocumentShared(tx, document.account_id, document.id);
    if (await isErasedIn(tx, document)) {
      throw new Refusal('a person was erased in this document, so it has no complete certificate any more');
    }
    return loadSealInput(world, tx, document, verifyAddress, true);
  });
  return Buffer.from(await draw(input));
}

async function isErasedIn(db: Queryable, document: Document): Promise<boolean> {
  const erased = await db.query({
    name: 'find_erased_entry',
    text: 'select 1 from audit_entries where account_id = $1 and document_id = $2 and erased_at is not null limit 1',
    values: [document.account_id, document.id],
  });
  return erased.length > 0;
}
