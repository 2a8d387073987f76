import { countTry, TooManyTries } from '../identity/guess-limit.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { SigningError } from './signing-error.ts';

/** Counts a file for a field, because one that was replaced stays in the store for a while. Throws `too_many_uploads`. */
export function countUpload(world: World, db: Queryable, recipientId: string): Promise<void> {
  return count(world, db, 'upload_of_recipient', recipientId);
}

/** Counts pictures of a signature, initials or a stamp, because they take time to check. Throws `too_many_uploads`. */
export function countPictures(world: World, db: Queryable, recipientId: string): Promise<void> {
  return count(world, db, 'picture_of_recipient', recipientId);
}

async function count(
  world: World,
  db: Queryable,
  guess: 'upload_of_recipient' | 'picture_of_recipient',
  recipientId: string,
): Promise<void> {
  try {
    await countTry(world, db, guess, recipientId);
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error;
    throw new SigningError('too_many_uploads', { retryAfterSeconds: error.retryAfterSeconds });
  }
}
