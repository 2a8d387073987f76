import type { IncomingMessage } from 'node:http';
import { readAttachment } from '../documents/attachment.ts';
import type { Field } from '../documents/field.ts';
import { type FieldFile, fieldFileBytesMax, keepFieldFile } from '../documents/field-file.ts';
import { storeFile } from '../documents/stored-files.ts';
import { BodyFault, type SavedBody, saveBody } from '../http/save-body.ts';
import type { FileStore } from '../platform/files.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { countUpload } from './count-files.ts';
import { cleanFileName, readFileType } from './file-kind.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession, readSession, type SigningSession } from './signing-session.ts';

/** A complete temporary file. */
export interface ReceivedFile extends SavedBody {
  /** The name on the sender's device. */
  name: string;
}

export interface UploadDeps {
  world: World;
  database: Database;
  files: FileStore;
}

/** A file that was kept for a field. */
export type KeptFile = Pick<FieldFile, 'id' | 'name' | 'bytes'>;

/**
 * Keeps a file for a field of the recipient until they sign. First it is stored, then a row refers to it: a file of a process that
 * was killed in between is removed after an hour. Throws `invalid_field` for a field that takes no file, `file_type_refused`,
 * `file_too_large`, `too_many_uploads`, and the error of a state that isn't open.
 */
export async function keepUpload(
  { world, database, files }: UploadDeps,
  access: Access,
  fieldId: string,
  received: ReceivedFile,
): Promise<KeptFile> {
  const mediaType = await readFileType(received.path);
  if (mediaType === null) throw new SigningError('file_type_refused');
  if (received.bytes > fieldFileBytesMax) throw new SigningError('file_too_large');
  const { recipient } = await readUploadSession({ world, database }, access, fieldId);
  await countUpload(world, database, recipient.id);
  const { sha256, bytes, path } = received;
  const name = cleanFileName(received.name, mediaType);
  await storeFile(world, database, files, { sha256, bytes }, path);
  const id = await database.transaction(async (tx) => {
    const session = await lockSession(world, tx, access);
    assertOpen(session);
    const { document, recipient } = session;
    const attachment = await readAttachment(tx, document.account_id, document.id);
    findUploadField(attachment?.fields ?? [], recipient.id, fieldId);
    const file = { field_id: fieldId, recipient_id: recipient.id, sha256, bytes, name, media_type: mediaType };
    return keepFieldFile(world, tx, document, file);
  });
  return { id, name, bytes };
}

/** Reads the session of a recipient who may attach a file to the field now. Throws as `keepUpload` does. */
export async function readUploadSession(
  { world, database }: Pick<UploadDeps, 'world' | 'database'>,
  access: Access,
  fieldId: string,
): Promise<SigningSession> {
  const session = await readSession(world, database, access);
  assertOpen(session);
  const { document, recipient } = session;
  const attachment = await readAttachment(database, document.account_id, document.id);
  findUploadField(attachment?.fields ?? [], recipient.id, fieldId);
  return session;
}

/** Saves the body of a request, which is a file. Throws `file_too_large`, and `malformed_request` for one that is incomplete. */
export async function receiveUpload(request: IncomingMessage, path: string): Promise<SavedBody> {
  try {
    return await saveBody(request, path, fieldFileBytesMax);
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    throw new SigningError(error.kind === 'too_large' ? 'file_too_large' : 'malformed_request', { cause: error });
  }
}

function assertOpen({ state }: SigningSession): void {
  if (state.kind !== 'open') throw new SigningError(refusalOf(state));
}

function findUploadField(fields: readonly Field[], recipientId: string, fieldId: string): void {
  const isOwn = fields.some(
    ({ id, type, recipient_id }) => id === fieldId && type === 'upload' && recipient_id === recipientId,
  );
  if (!isOwn) throw new SigningError('invalid_field');
}
