import type { Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';

/** Replaces the values that the sender gives, by the position of the field. The caller has checked them, and holds the lock. */
export async function setPresets(tx: Tx, document: Document, values: ReadonlyMap<number, string>): Promise<void> {
  if (values.size === 0) return;
  await tx.query({
    name: 'set_presets',
    text: `update document_fields f set preset = v.value, value = v.value
           from unnest($3::int[], $4::text[]) as v (position, value)
           where f.account_id = $1 and f.document_id = $2 and f.position = v.position`,
    values: [document.account_id, document.id, [...values.keys()], [...values.values()]],
  });
}
