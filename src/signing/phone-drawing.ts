import { createHash } from 'node:crypto';
import type { WrittenMarkKind } from '../mark-kinds.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { countPictures } from './count-files.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import type { SigningSession } from './signing-session.ts';

/** How long a phone has to draw. */
const minutesValid = 10;
const tokenFormat = /^[A-Za-z0-9_-]{43}$/;
const uuidFormat = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface RequestedDrawing {
  id: string;
  /** The path of the page that the phone opens. It contains a token of 256 random bits, of which only the SHA-256 is stored. */
  path: string;
  expiresAt: Date;
}

/**
 * Lets a phone draw for a signing page that is open elsewhere. It replaces the recipient's last request for the same mark. The
 * phone learns nothing but the document's title, and can do nothing but draw.
 *
 * @throws SigningError unless the recipient could sign now.
 */
export async function requestDrawing(
  world: World,
  db: Queryable,
  session: SigningSession,
  mark: WrittenMarkKind,
): Promise<RequestedDrawing> {
  assertOpen(session);
  const { recipient } = session;
  const token = world.random.bytes(32).toString('base64url');
  const id = world.newId();
  const now = world.clock.now();
  const expiresAt = new Date(now.getTime() + minutesValid * 60_000);
  await db.query({
    name: 'request_phone_drawing',
    text: `insert into phone_drawings (recipient_id, mark, id, holder, token_hash, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (recipient_id, mark) do update set
             id = excluded.id, holder = excluded.holder, token_hash = excluded.token_hash, created_at = excluded.created_at,
             expires_at = excluded.expires_at, opened_at = null, drawn_at = null, png = null`,
    values: [recipient.id, mark, id, recipient.holder, hashToken(token), now, expiresAt],
  });
  return { id, path: `/draw/${token}`, expiresAt };
}

/** How far a phone has come, for the page that waits for it. `ended`: too late, or replaced by a newer request. */
export type DrawingProgress = { state: 'waiting' | 'opened' | 'ended' } | { state: 'drawn'; png: Buffer };

/** @throws SigningError unless the recipient could sign now. */
export async function readDrawing(
  world: World,
  db: Queryable,
  session: SigningSession,
  id: string,
): Promise<DrawingProgress> {
  assertOpen(session);
  if (!uuidFormat.test(id)) return { state: 'ended' };
  const { recipient } = session;
  const [row] = await db.query<{ opened_at: Timestamp | null; png: Buffer | null }>({
    name: 'read_phone_drawing',
    text: `select opened_at, png from phone_drawings
           where recipient_id = $1 and holder = $2 and id = $3 and expires_at > $4`,
    values: [recipient.id, recipient.holder, id, world.clock.now()],
  });
  if (row === undefined) return { state: 'ended' };
  if (row.png !== null) return { state: 'drawn', png: row.png };
  return { state: row.opened_at === null ? 'waiting' : 'opened' };
}

/** What the phone's page shows. */
export interface PhoneView {
  recipientId: string;
  accountId: string;
  accountName: string;
  documentLanguage: Language;
  title: string;
  isTest: boolean;
  mark: WrittenMarkKind;
  isDrawn: boolean;
}

/** Finds the request that a phone opened. Null: unknown, too late, replaced, or nobody can sign with it any more. */
export async function findRequestedDrawing(world: World, db: Queryable, token: string): Promise<PhoneView | null> {
  if (!tokenFormat.test(token)) return null;
  const [row] = await db.query<PhoneView>({
    name: 'find_phone_drawing',
    text: `select r.id as "recipientId", a.id as "accountId", a.display_name as "accountName", d.primary_language as "documentLanguage", d.title,
             d.sent_mode = 'test' as "isTest", p.mark, p.drawn_at is not null as "isDrawn"
           from phone_drawings p join recipients r on r.id = p.recipient_id and r.holder = p.holder
           join documents d on d.account_id = r.account_id and d.id = r.document_id
           join accounts a on a.id = r.account_id
           where p.token_hash = $1 and p.expires_at > $2 and d.status in ('sent', 'partially_signed')
             and r.signed_at is null and r.declined_at is null`,
    values: [hashToken(token), world.clock.now()],
  });
  return row ?? null;
}

/** Notes that somebody sees the phone's page. The page that waits says so. Throws `link_unknown`. */
export async function markOpened(world: World, db: Queryable, token: string): Promise<void> {
  if ((await findRequestedDrawing(world, db, token)) === null) throw new SigningError('link_unknown');
  await db.query({
    name: 'mark_phone_drawing_opened',
    text: 'update phone_drawings set opened_at = $2 where token_hash = $1 and opened_at is null',
    values: [hashToken(token), world.clock.now()],
  });
}

/**
 * Keeps what a phone drew. The first drawing counts: the same one again is accepted, because a phone repeats what was not
 * answered, and another one is refused.
 *
 * `read` reads the drawing, only if somebody waits for it, because it takes time.
 *
 * @throws SigningError `link_unknown` if the request has ended or holds another drawing, and `too_many_uploads`.
 */
export async function receiveDrawing(world: World, db: Queryable, token: string, read: () => Buffer): Promise<void> {
  const requested = await findRequestedDrawing(world, db, token);
  if (requested === null) throw new SigningError('link_unknown');
  await countPictures(world, db, requested.recipientId);
  const png = read();
  const kept = await db.query({
    name: 'receive_phone_drawing',
    text: `update phone_drawings set png = $2, drawn_at = coalesce(drawn_at, $3), opened_at = coalesce(opened_at, $3)
           where token_hash = $1 and expires_at > $3 and (png is null or png = $2) returning 1`,
    values: [hashToken(token), png, world.clock.now()],
  });
  if (kept.length === 0) throw new SigningError('link_unknown');
}

function assertOpen({ state }: SigningSession): void {
  if (state.kind !== 'open') throw new SigningError(refusalOf(state));
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
