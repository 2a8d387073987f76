import { createHash } from 'node:crypto';
import type { Tx } from '../postgres/database.ts';

/** pg-boss writes its row through our transaction: the job exists if and only if the change commits. */
export function inTransaction(tx: Tx) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      return { rows: await tx.query<Record<string, unknown>>({ name: statementName(text), text, values }) };
    },
  };
}

const statementNames = new Map<string, string>();

/**
 * Names a statement by its text, so that each connection plans it once: planning an insert costs more than running it. There
 * is one text for each queue.
 */
function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  const name = `queue_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  statementNames.set(text, name);
  return name;
}
