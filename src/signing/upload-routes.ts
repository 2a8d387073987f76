import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fieldFileBytesMax, listFieldFiles } from '../documents/field-file.ts';
import { fileKey } from '../documents/stored-files.ts';
import { allowUpload } from '../http/request-time.ts';
import { discardRest } from '../http/save-body.ts';
import { createUploadSlots, NoSlotError } from '../http/upload-slots.ts';
import { withTemporaryDirectory } from '../platform/temporary-directory.ts';
import { attachmentHeaders } from './attachment-headers.ts';
import { showsFile } from './file-routes.ts';
import { keepUpload, readUploadSession, receiveUpload, type UploadDeps } from './receive-upload.ts';
import { SigningError } from './signing-error.ts';
import { type Access, readSession } from './signing-session.ts';

interface UploadRoute {
  Params: { token: string; field: string };
  Querystring: { name?: string };
}

export interface UploadRoutesOptions extends UploadDeps {
  accessOf: (request: FastifyRequest<UploadRoute>) => Access;
  assertFromOurPage: (request: FastifyRequest) => void;
}

const path = '/sign/:token/files/:field';
const slots = { all: 24, perClient: 4 };
const busySeconds = 2;

/**
 * Takes the files that a recipient attaches to fields, and gives them back to that recipient alone. The body of a request is the
 * file. It is kept until the recipient signs, and replaces an earlier one.
 */
export async function uploadRoutes(app: FastifyInstance, options: UploadRoutesOptions): Promise<void> {
  const { world, database, files, accessOf, assertFromOurPage } = options;
  const withSlot = createUploadSlots(slots);
  // The body is streamed to disk.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  app.post<UploadRoute>(path, async (request, reply) => {
    const { raw, params, query } = request;
    assertFromOurPage(request);
    const access = accessOf(request);
    const fieldId = params.field.toLowerCase();
    try {
      await readUploadSession(options, access, fieldId);
      allowUpload(raw);
      if (Number(raw.headers['content-length'] ?? 0) > fieldFileBytesMax) throw new SigningError('file_too_large');
      const file = await withSlot(request.ip, () =>
        withTemporaryDirectory(async (directory) => {
          const saved = await receiveUpload(raw, join(directory, 'file'));
          return keepUpload(options, access, fieldId, { ...saved, name: String(query.name ?? '') });
        }),
      );
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ state: 'open', file }));
    } catch (error) {
      if (!(error instanceof NoSlotError)) throw error;
      throw new SigningError('page_unavailable', { cause: error, retryAfterSeconds: busySeconds });
    } finally {
      discardRest(raw, 2 * fieldFileBytesMax);
    }
  });

  app.get<UploadRoute>(path, async (request, reply) => {
    const session = await readSession(world, database, accessOf(request));
    const { document, recipient } = session;
    if (!showsFile(session)) throw new SigningError('link_unknown');
    const own = (await listFieldFiles(database, document)).find(({ field_id, recipient_id }) => {
      return field_id === request.params.field.toLowerCase() && recipient_id === recipient.id;
    });
    const stored = own && (await files.get(fileKey(own.sha256.toString('hex'))));
    if (!own || !stored) throw new SigningError('link_unknown');
    return reply.headers(attachmentHeaders(own)).header('content-length', stored.sizeBytes).send(stored.stream);
  });
}
