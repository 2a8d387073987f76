import { findPerson } from '../identity/people.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Document } from './document.ts';
import { readLastReview } from './review.ts';

/** Returns the e-mail address of the person who submitted a document for review, or null if no person did. */
export async function findSubmitter(db: Queryable, document: Document): Promise<string | null> {
  const step = await readLastReview(db, document);
  const [kind, id = ''] = step?.actor.split(':') ?? [];
  return kind === 'person' ? ((await findPerson(db, id))?.email ?? null) : null;
}
