import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listMemberships } from '../accounts/members.ts';
import { recipientKind } from '../documents/recipient.ts';
import { openable } from '../identity/openable.ts';
import { findPerson } from '../identity/people.ts';
import {
  nothingSaved,
  readSavedSignatures,
  type SavedSignature,
  type SavedSignatures,
  saveSignature,
} from '../identity/saved-signatures.ts';
import { readSessionCookie } from '../identity/session-cookie.ts';
import { findSession } from '../identity/sessions.ts';
import { isSameEmail } from '../platform/canonical-email.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { SigningError } from './signing-error.ts';
import { readSaving, usesSaved } from './signing-form.ts';
import { type Access, readSession, type SigningSession } from './signing-session.ts';

interface SigningRoute {
  Params: { token: string };
}

/** What `signing-routes.ts` shares with this file. */
export interface SavedMarksOptions {
  world: World;
  database: Database;
  secretBox: SecretBox;
  accessOf: (request: FastifyRequest<SigningRoute>) => Access;
  assertFromOurPage: (request: FastifyRequest) => void;
}

/**
 * Returns the person whose saved signature may be used for a recipient: a member of a company who is signed in, in this browser, with
 * the recipient's own address and with proofs of their own. Null for everyone else, and for all who sign in person, because the
 * device belongs to someone else. Approvers sign with a name only.
 */
export async function findSaver(
  world: World,
  db: Queryable,
  access: Access,
  { recipient, isLocked }: SigningSession,
): Promise<string | null> {
  if (isLocked || recipient.channel === 'in_person' || recipient.email === null) return null;
  if (recipientKind(recipient) !== 'signer') return null;
  const token = readSessionCookie(access.cookies, 'open', access.origin);
  const session = token === null ? null : await findSession(world, db, token);
  // A company's provider must not get at what belongs to the person.
  if (session === null || session.only_account_id !== null) return null;
  const person = await findPerson(db, session.person_id);
  if (person === null || !isSameEmail(person.email, recipient.email)) return null;
  // Only someone whom the console lets in can change or remove it there.
  return openable(session, person, await listMemberships(db, person.email)).length > 0 ? person.id : null;
}

/** Returns what a body of `readSignature` may use of what the recipient saved. */
export async function findUsable(
  { world, database, secretBox }: Omit<SavedMarksOptions, 'accessOf' | 'assertFromOurPage'>,
  access: Access,
  session: SigningSession,
  body: unknown,
): Promise<SavedSignatures> {
  if (!usesSaved(body)) return nothingSaved;
  const personId = await findSaver(world, database, access, session);
  return personId === null ? nothingSaved : readSavedSignatures(database, secretBox, personId);
}

/**
 * Saves what the recipient asked to save, once they have signed. It never fails: the signature is recorded, and the next document asks
 * again.
 */
export async function saveForNextTime(
  { world, database, secretBox }: Omit<SavedMarksOptions, 'accessOf' | 'assertFromOurPage'>,
  access: Access,
  body: unknown,
): Promise<void> {
  try {
    const made = readSaving(body);
    if (made.length === 0) return;
    const personId = await findSaver(world, database, access, await readSession(world, database, access));
    if (personId === null) return;
    await database.transaction(async (tx) => {
      for (const [mark, content] of made) await saveSignature(world, tx, secretBox, personId, mark, content);
    });
  } catch (cause) {
    world.log.error('a signature could not be saved for next time', { cause });
  }
}

/** Serves what the recipient has saved, to the script of their own page. */
export function savedMarkRoutes(app: FastifyInstance, options: SavedMarksOptions): void {
  const { world, database, secretBox, accessOf, assertFromOurPage } = options;
  app.get<SigningRoute>('/sign/:token/saved', async (request, reply) => {
    assertFromOurPage(request);
    const access = accessOf(request);
    const session = await readSession(world, database, access);
    const personId = session.state.kind === 'open' ? await findSaver(world, database, access, session) : null;
    if (personId === null) throw new SigningError('link_unknown');
    const { signature, initials } = await readSavedSignatures(database, secretBox, personId);
    return reply
      .headers({ 'cache-control': 'no-store', vary: 'cookie' })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ signature: savedJson(signature), initials: savedJson(initials) }));
  });
}

function savedJson(saved: SavedSignature | null) {
  if (saved === null) return null;
  const { id, content } = saved;
  return content.kind === 'typed'
    ? { id, kind: content.kind, text: content.text }
    : { id, kind: content.kind, png: content.png.toString('base64') };
}
