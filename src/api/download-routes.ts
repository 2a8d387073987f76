import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { completedFileKey } from '../documents/completed-file.ts';
import type { DownloadableDocument } from '../documents/queries.ts';
import { fileKey } from '../documents/stored-files.ts';
import { ApiError } from '../errors.ts';
import { savedAs } from '../http/saved-as.ts';
import type { FileStore } from '../platform/files.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { orUnavailable } from './download-endpoint.ts';
import type { DownloadGrant, DownloadTokens } from './download-token.ts';

export interface DownloadRoutesOptions {
  world: World;
  db: Queryable;
  files: FileStore;
  tokens: DownloadTokens;
  guardIp: (ip: string) => void;
}

/**
 * `GET /download/<token>`: the PDF at an address that `GET /documents/{id}/download` returned. 404 for every address that does
 * not work: forged, expired, of a revoked key, a removed company or a restricted document.
 */
export async function downloadRoutes(app: FastifyInstance, options: DownloadRoutesOptions): Promise<void> {
  const { world, db, files, tokens, guardIp } = options;

  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/download/:token',
    handler: async (request, reply) => {
      guardIp(request.ip);
      const grant = tokens.decode(request.params.token);
      const now = world.clock.now();
      const document = grant === null || grant.expiresAt <= now ? null : await findGranted(db, grant, now);
      const newestKey = document && (await completedFileKey(db, document));
      if (grant === null || document === null || newestKey === null) throw new ApiError('document_not_found');
      // The file that was named with the address. A renewal releases it, and released files stay for an hour or longer.
      const key = grant.sha256 === null ? newestKey : fileKey(grant.sha256);
      // HEAD needs the size only, so it doesn't open the file.
      const file: { sizeBytes: number; stream?: Readable } =
        request.method === 'HEAD'
          ? { sizeBytes: await orUnavailable(key, files.sizeOf(key)) }
          : await orUnavailable(key, files.get(key));
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-length': String(file.sizeBytes),
          'content-disposition': savedAs(document.title, 'pdf'),
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        })
        .send(file.stream);
    },
  });
}

/** The document, while the key that asked for the address may still read it. */
async function findGranted(
  db: Queryable,
  { documentId, keyId }: DownloadGrant,
  now: Date,
): Promise<DownloadableDocument | null> {
  const rows = await db.query<DownloadableDocument>({
    name: 'find_granted_download',
    text: `select d.id, d.account_id, d.title, d.completed_at, d.is_migrated, d.sealed_file
           from api_keys k
           join accounts a on a.id = k.account_id and a.removed_at is null
           join documents d on d.account_id = k.account_id and d.id = $2
           where k.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
             and not d.is_template and d.restricted_kind is null and d.completed_at is not null`,
    values: [keyId, documentId, now],
  });
  return rows[0] ?? null;
}
