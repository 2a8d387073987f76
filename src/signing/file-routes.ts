import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readDocumentFile } from '../documents/attachment.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { type FilePages, pageWidths } from './file-pages.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, readSession, type SigningSession } from './signing-session.ts';

export interface FileRoutesOptions {
  world: World;
  db: Queryable;
  pages: FilePages;
  /** Returns the origin of the signing pages. */
  origin: () => string;
}

interface PageRoute {
  Params: { token: string; page: string };
  Querystring: { width?: string };
}

const widthDefault = 1200;

/**
 * Serves the pages of the attached file as images and as text. The document must be open to the recipient, or the
 * recipient must have finished.
 */
export function fileRoutes(app: FastifyInstance, { world, db, pages, origin }: FileRoutesOptions): void {
  const findPage = async (request: FastifyRequest<PageRoute>): Promise<{ sha256: string; page: number }> => {
    const { token, page: pageText } = request.params;
    const access: Access = { token, cookies: request.headers.cookie, origin: origin() };
    const session = await readSession(world, db, access);
    assertShown(session);
    const file = await readDocumentFile(db, session.document.account_id, session.document.id);
    const page = /^[1-9]\d{0,5}$/.test(pageText) ? Number(pageText) : 0;
    if (file === null || page < 1 || page > file.page_count) throw new SigningError('link_unknown');
    return { sha256: file.sha256.toString('hex'), page };
  };

  app.get<PageRoute>('/sign/:token/pages/:page', async (request, reply) => {
    const { sha256, page } = await findPage(request);
    const { mediaType, bytes } = await pages.image(sha256, page, readWidth(request.query.width));
    return reply.type(mediaType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });

  app.get<PageRoute>('/sign/:token/pages/:page/text', async (request, reply) => {
    const { sha256, page } = await findPage(request);
    const { lines } = await pages.text(sha256, page);
    const shown = lines.map(({ text, x, y, width, height }) => ({ text, x, y, width, height }));
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ lines: shown }));
  });
}

/** Returns whether a session may show the file and its text. */
export function showsFile({ needs, state }: SigningSession): boolean {
  return !needs.code && !needs.account && ['open', 'signed', 'approved', 'completed'].includes(state.kind);
}

function assertShown(session: SigningSession): void {
  if (showsFile(session)) return;
  const { needs, state } = session;
  if (needs.code || needs.account || state.kind === 'open') throw new SigningError('verification_required');
  throw new SigningError(refusalOf(state));
}

/** Returns the smallest offered width that is at least the requested one. A few fixed widths keep the cache small. */
function readWidth(requested: string | undefined): number {
  const width = requested === undefined ? widthDefault : Number(requested);
  return pageWidths.find((offered) => offered >= width) ?? (pageWidths.at(-1) as number);
}
