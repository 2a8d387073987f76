import { Type } from 'typebox';
import { completedFileKey } from '../documents/completed-file.ts';
import { findVisibleDownload } from '../documents/queries.ts';
import { sha256OfFileKey } from '../documents/stored-files.ts';
import { ApiError } from '../errors.ts';
import type { FileStore } from '../platform/files.ts';
import { isUuid } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { DownloadTokens } from './download-token.ts';
import { type Call, type Endpoint, orFail } from './endpoint.ts';
import { assertOwned } from './tenant.ts';

/** How long a download address works. */
const downloadSecondsMax = 300;

const downloadSchema = Type.Object({
  object: Type.Literal('download'),
  url: Type.String({
    format: 'uri',
    description: 'Answers the PDF to a GET without authentication, for 5 minutes. Treat it as a secret.',
  }),
  expires_at: Type.String({ format: 'date-time' }),
  bytes: Type.Integer({ minimum: 0, description: 'Size of the PDF.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the PDF, in lowercase hex.' }),
});

export interface DownloadDeps {
  files: FileStore;
  tokens: DownloadTokens;
  /** Of the addresses that are given out, such as `https://sign.example.com`. */
  origin: () => string;
}

export function downloadEndpoint(deps: DownloadDeps): Endpoint {
  return {
    method: 'GET',
    path: '/documents/:id/download',
    scope: 'documents:read',
    summary: 'Download a sealed PDF',
    description:
      'An extension of this server. Returns an address of the sealed PDF of a completed document. Ask again when it has expired. ' +
      'The address ends early when the key is revoked or the document is restricted. ' +
      'A document that is voided after its completion keeps its sealed PDF. ' +
      'Call this when a `document.completed` event arrives. The seal is made a moment after the last signature: ' +
      'while the answer is `document_not_completed`, ask again after a few seconds. It stays so when the file was erased, and while the seal is stopped.',
    answer: { status: 200, schema: downloadSchema, description: 'Where the PDF is, for 5 minutes.' },
    codes: ['document_not_completed', 'document_not_found', 'document_unavailable'],
    read: (call, db) => grantDownload(deps, call, db),
  };
}

async function grantDownload({ files, tokens, origin }: DownloadDeps, { world, caller, id }: Call, db: Queryable) {
  const found = isUuid(id) ? await orFail('document_unavailable', findVisibleDownload(db, caller.accountId, id)) : null;
  if (found === null) throw new ApiError('document_not_found');
  const document = assertOwned(caller, found);
  const isCompleted = document.completed_at !== null;
  const key = isCompleted ? await orFail('document_unavailable', completedFileKey(db, document)) : null;
  if (key === null) throw new ApiError('document_not_completed', { param: 'status' });
  const bytes = await orUnavailable(key, files.sizeOf(key));
  const expiresAt = new Date(world.clock.now().getTime() + downloadSecondsMax * 1000);
  const sha256 = sha256OfFileKey(key);
  const token = tokens.encode({ documentId: document.id, keyId: caller.keyId, expiresAt, sha256 });
  return {
    object: 'download',
    url: `${origin()}/download/${token}`,
    expires_at: expiresAt.toISOString(),
    bytes,
    sha256,
  };
}

/**
 * Waits for an answer of the file store about `key`.
 *
 * @throws `document_unavailable` when the store fails or has lost the file.
 */
export async function orUnavailable<T>(key: string, asked: Promise<T | null>): Promise<T> {
  const answer = await asked.catch((cause) => {
    throw new ApiError('document_unavailable', { cause });
  });
  if (answer === null) throw new ApiError('document_unavailable', { cause: new Error(`the store has no ${key}`) });
  return answer;
}
