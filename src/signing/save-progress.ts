import { readAttachment } from '../documents/attachment.ts';
import { isFilled } from '../documents/field.ts';
import { isDone } from '../documents/recipient.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { assertAcceptable, type FieldValues, recordValues } from './fill-fields.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';

/**
 * Keeps what a reader has filled in so far, for when they come back, on this device or another. It binds nobody, so it
 * is not audited. Once they have signed nothing is kept any more. Throws the `SigningError` of a state that is not open.
 */
export async function saveProgress(world: World, tx: Tx, access: Access, said: FieldValues): Promise<SigningState> {
  const { document, reader, state } = await lockSession(world, tx, access);
  if (isDone(reader)) return state;
  if (state.kind !== 'open') throw new SigningError(refusalOf(state));
  const attachment = await readAttachment(tx, document.account_id, document.id);
  const own = (attachment?.fields ?? []).filter((field) => field.recipient_id === reader.id);
  assertAcceptable(own, said);
  const values = own
    .filter(({ id }) => said.has(id))
    .map(({ id, type }) => {
      const value = said.get(id) ?? null;
      return { id, value: type === 'checkbox' || isFilled(type, value) ? value : null };
    });
  await recordValues(tx, document.account_id, reader.id, values, null);
  return state;
}
