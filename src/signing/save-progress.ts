import { readAttachment } from '../documents/attachment.ts';
import { type Field, isFilled } from '../documents/field.ts';
import { shownFields } from '../documents/field-condition.ts';
import { dropPendingFiles, type FieldFile, listFieldFiles } from '../documents/field-file.ts';
import { isDone } from '../documents/recipient.ts';
import { isUuid } from '../platform/ids.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { acceptValues, type FieldValues, nameFiles, recordValues } from './fill-fields.ts';
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
  const hasUploads = own.some(({ type }) => type === 'upload');
  const files = hasUploads ? await listFieldFiles(tx, document) : [];
  const named = nameFiles(own, files, hasUploads ? withoutReplaced(own, files, entered) : entered);
  const accepted = acceptValues(own, named);
  const entries = own.map((field) => {
    const value = accepted.get(field.id) ?? (accepted.has(field.id) ? null : field.value);
    return { ...field, value: field.type === 'checkbox' || isFilled(field.type, value) ? value : null };
  });
  // A field that is hidden now begins again if it is shown later. A file stays, because the page can't send it again.
  const shown = shownFields(entries, ({ value }) => value);
  const keeps = (field: Field) => shown.has(field) || field.type === 'upload';
  const values = entries
    .map((field) => ({ id: field.id, value: keeps(field) ? field.value : field.preset }))
    .filter(({ value }, index) => value !== own[index]?.value);
  await recordValues(tx, document.account_id, recipient.id, values, null);
  if (hasUploads) {
    const emptied = new Set(values.filter(({ value }) => value === null).map(({ id }) => id));
    const kept = own.filter(({ id, type, value }) => type === 'upload' && value !== null && !emptied.has(id));
    await dropPendingFiles(
      world,
      tx,
      recipient,
      kept.map(({ id }) => id),
    );
  }
  return state;
}

/**
 * Leaves out files that another tab or device has replaced or removed meanwhile: what is stored stays. Were they refused, the
 * other values that come with them could not be saved either, and the page would send them again after each reload.
 */
function withoutReplaced(own: readonly Field[], files: readonly FieldFile[], entered: FieldValues): FieldValues {
  const uploads = new Set(own.filter(({ type }) => type === 'upload').map(({ id }) => id));
  const isKept = (id: string, value: string) => files.some((file) => file.field_id === id && file.id === value);
  const isReplaced = (id: string, value: string) => uploads.has(id) && isUuid(value) && !isKept(id, value);
  return new Map([...entered].filter(([id, value]) => value === null || !isReplaced(id, value)));
}
