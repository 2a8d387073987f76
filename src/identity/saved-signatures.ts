import { auditAccount } from '../accounts/account-audit.ts';
import { holdMemberships } from '../accounts/members.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { lockPerson } from './people.ts';

/** The signature and initials that a person keeps for signing again. */

export const savedMarks = ['signature', 'initials'] as const;
export type SavedMark = (typeof savedMarks)[number];

/** What is saved: a text, or a picture (PNG) that the caller has checked. `kind` is how it was made. */
export type MarkContent = { kind: 'typed'; text: string } | { kind: 'drawn' | 'uploaded'; png: Buffer };

export interface SavedSignature {
  /** Another one for each replacement. */
  id: string;
  savedAt: Timestamp;
  content: MarkContent;
}

export type SavedSignatures = Record<SavedMark, SavedSignature | null>;

export const nothingSaved: SavedSignatures = { signature: null, initials: null };

interface Row {
  id: string;
  mark: SavedMark;
  kind: MarkContent['kind'];
  content: Buffer;
  saved_at: Timestamp;
}

/** Binds what is encrypted to its row. */
export function savedSignatureContext(id: string): string {
  return `saved signature ${id}`;
}

/** Returns what a person has saved. Throws if it can't be decrypted. */
export async function readSavedSignatures(db: Queryable, box: SecretBox, personId: string): Promise<SavedSignatures> {
  const rows = await db.query<Row>({
    name: 'read_saved_signatures',
    text: 'select id, mark, kind, content, saved_at from saved_signatures where person_id = $1',
    values: [personId],
  });
  const saved = { ...nothingSaved };
  for (const row of rows) saved[row.mark] = { id: row.id, savedAt: row.saved_at, content: decrypted(box, row) };
  return saved;
}

function decrypted(box: SecretBox, { id, kind, content }: Row): MarkContent {
  const plain = box.decrypt(content, savedSignatureContext(id));
  return kind === 'typed' ? { kind, text: plain } : { kind, png: Buffer.from(plain, 'base64') };
}

/**
 * Saves a signature or initials in place of the former one. Saving the same again changes nothing and is not audited. Returns false
 * if the person is a member of no company any more.
 */
export async function saveSignature(
  world: World,
  tx: Tx,
  box: SecretBox,
  personId: string,
  mark: SavedMark,
  content: MarkContent,
): Promise<boolean> {
  const person = await lockPerson(tx, personId);
  if (person === null || !(await holdMemberships(tx, person.email))) return false;
  const former = (await readSavedSignatures(tx, box, personId))[mark];
  if (former !== null && isSame(former.content, content)) return true;
  const id = world.newId();
  const plain = content.kind === 'typed' ? content.text : content.png.toString('base64');
  await tx.query({
    name: 'save_signature',
    text: `insert into saved_signatures (id, person_id, mark, kind, content, saved_at) values ($1, $2, $3, $4, $5, $6)
           on conflict (person_id, mark) do update set
             id = excluded.id, kind = excluded.kind, content = excluded.content, saved_at = excluded.saved_at`,
    values: [id, personId, mark, content.kind, box.encrypt(plain, savedSignatureContext(id)), world.clock.now()],
  });
  const detail = { mark, method: content.kind };
  await auditAccount(world, tx, { accountId: null, personId, action: 'signature_saved', detail });
  return true;
}

function isSame(one: MarkContent, other: MarkContent): boolean {
  if (one.kind === 'typed' || other.kind === 'typed') {
    return one.kind === 'typed' && other.kind === 'typed' && one.text === other.text;
  }
  return one.kind === other.kind && one.png.equals(other.png);
}

/** Removes what a person saved. Returns which there were. The caller audits it. */
export async function removeSavedSignatures(
  db: Queryable,
  personId: string,
  marks: readonly SavedMark[],
): Promise<SavedMark[]> {
  const rows = await db.query<{ mark: SavedMark }>({
    name: 'remove_saved_signatures',
    text: 'delete from saved_signatures where person_id = $1 and mark = any ($2::text[]) returning mark',
    values: [personId, [...marks]],
  });
  return savedMarks.filter((mark) => rows.some((row) => row.mark === mark));
}
