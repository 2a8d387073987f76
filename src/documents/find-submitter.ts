import { readActor } from '../actor.ts';
import { findPerson } from '../identity/people.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Document } from './document.ts';
import { readLastReview } from './review.ts';

/** Returns the e-mail address of the person who submitted a document for review, or null if no person did. */
export async function findSubmitter(db: Queryable, document: Document): Promise<string | null> {
  const step = await readLastReview(db, document);
  if (step === null) return null;
  const { kind, id } = readActor(step.actor);
  return kind === 'person' && id !== null ? ((await findPerson(db, id))?.email ?? null) : null;
}
