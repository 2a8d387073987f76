import type { Command } from 'commander';
import { type ChainedEntry, firstBreak, readAudit } from '../../documents/audit.ts';
import type { Document } from '../../documents/document.ts';
import { openDetail } from '../../documents/hidden-details.ts';
import { readReviewNotes } from '../../documents/review.ts';
import { Refusal } from '../../errors.ts';
import type { Tx } from '../../postgres/database.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { lockById } from './lock-document.ts';

export function defineAudit(document: Command): void {
  document
    .command('audit <id>')
    .description('show the audit trail and check its hash chain; exit 1 when it was tampered with')
    .action(async (id: string, _options, command: Command) => {
      // Every change takes this lock, so entries and head match.
      const { found, trail, notes } = await withDatabase(({ db }) =>
        db.transaction(async (tx) => {
          const found = await lockById(tx, id);
          const trail = await readTrail(tx, found);
          const seqs = trail.map(({ seq }) => seq);
          return { found, trail, notes: await readReviewNotes(tx, found, seqs) };
        }),
      );
      const entries = trail.map((entry) => entryJson(entry, notes.get(entry.seq) ?? null));
      answer(command, entries, (rows) => table(rows.map(entryRow), 'no entries'));
      assertIntact(found, trail);
    });
}

async function readTrail(tx: Tx, document: Document): Promise<ChainedEntry[]> {
  try {
    return await readAudit(tx, document.account_id, document.id);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(`${tampered}: the detail of an entry is not JSON`);
    throw error;
  }
}

const tampered = 'the audit trail was tampered with';

/** Prints the trail before it judges it: the operator wants to see what is left. The head shows a missing end. */
function assertIntact(document: Document, trail: ChainedEntry[]): void {
  const broken = firstBreak(document.id, trail);
  if (broken !== null) throw new Refusal(`${tampered}: entry ${broken} does not match its hash`);
  const last = trail.at(-1);
  if (last?.seq !== document.audit_seq || !last.hash.equals(document.audit_hash)) {
    throw new Refusal(`${tampered}: it should end with entry ${document.audit_seq}`);
  }
}

/**
 * `openings`: what the detail has only salted hashes of, with the salts. `note`: the reason for returning a document from
 * review. Both are stored outside the trail.
 */
function entryJson(entry: ChainedEntry, note: string | null) {
  const { seq, at, actor, action, detail, hash, erasedAt, openings } = entry;
  const erased = erasedAt ? { erased_at: erasedAt } : {};
  return { at, actor, action, detail, ...(openings && { openings }), ...erased, note, seq, hash: hash.toString('hex') };
}

function entryRow({ seq, at, action, actor, hash, note, ...entry }: ReturnType<typeof entryJson>) {
  return { seq, at, action, actor, hash: `${hash.slice(0, 12)}…`, detail: note ?? openDetail(entry) };
}
