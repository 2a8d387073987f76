import { readAttachment } from '../documents/attachment.ts';
import { isFilled } from '../documents/field.ts';
import { isDone } from '../documents/recipient.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { acceptValues, type FieldValues, recordValues } from './fill-fields.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';

/**
 * Saves what a recipient has filled in so far, so that they can continue on this device or another. Saved values aren't
 * binding and aren't audited. Does nothing after they have signed. Throws the `SigningError` of a state that isn't open.
 */
export async function saveProgress(world: World, tx: Tx, access: Access, entered: FieldValues): Promise<SigningState> {
  const { document, recipient, state } = await lockSession(world, tx, access);
  if (isDone(recipient)) return state;
  if (state.kind !== 'open') throw new SigningError(refusalOf(state));
  const attachment = await readAttachment(tx, document.account_id, document.id);
  const own = (attachment?.fields ?? []).filter((field) => field.recipient_id === recipient.id);
  const accepted = acceptValues(own, entered, document.primary_language);
  const values = own
    .filter(({ id }) => accepted.has(id))
    .map(({ id, type }) => {
      const value = accepted.get(id) ?? null;
      return { id, value: type === 'checkbox' || isFilled(type, value) ? value : null };
    });
  await recordValues(tx, document.account_id, recipient.id, values, null);
  return state;
}
