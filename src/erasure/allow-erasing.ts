import type { Tx } from '../postgres/database.ts';

/** Lets this transaction delete and redact audit entries, which are append-only otherwise. Ends with the transaction. */
export async function allowErasing(tx: Tx): Promise<void> {
  await tx.query({ name: 'allow_erasing', text: `select set_config('countersign.erasing', 'on', true)`, values: [] });
}
