import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readAttachment, readDocumentFile } from '../documents/attachment.ts';
import { fileKey } from '../documents/stored-files.ts';
import { savedAs } from '../http/saved-as.ts';
import { isMarkKind } from '../mark-kinds.ts';
import type { FileStore } from '../platform/files.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { type FilePages, pageWidths, type ShownFile } from './file-pages.ts';
import { findSealedPages } from './sealed-pages.ts';
import { listSignatures, shownSha256 } from './shown-signatures.ts';
import { readMarkPicture } from './shown-view.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { readSession, type SigningSession } from './signing-session.ts';

export interface FileRoutesOptions {
  world: World;
  db: Queryable;
  files: FileStore;
  pages: FilePages;
  /** Returns the origin of the signing pages. */
  origin: () => string;
}

interface PageRoute {
  Params: { token: string; page: string };
  Querystring: { width?: string };
}

interface MarkRoute {
  Params: { token: string; number: string; kind: string };
}

const widthDefault = 1200;

/**
 * Serves the pages of the attached file as images and as text, and the signatures of others. The document must be open to
 * the recipient, or the recipient must have finished.
 */
export function fileRoutes(app: FastifyInstance, { world, db, files, pages, origin }: FileRoutesOptions): void {
  const open = async (request: FastifyRequest<{ Params: { token: string } }>): Promise<SigningSession> => {
    const session = await readSession(world, db, {
      token: request.params.token,
      cookies: request.headers.cookie,
      origin: origin(),
    });
    assertShown(session);
    return session;
  };

  /** Serves the pages of one PDF below `/sign/<token>/<part>`. `find`: its SHA-256 and number of pages. */
  const servePages = (part: string, find: (session: SigningSession) => Promise<PagedFile | null>) => {
    const findPage = async (request: FastifyRequest<PageRoute>): Promise<{ file: ShownFile; page: number }> => {
      const session = await open(request);
      const file = await find(session);
      const page = /^[1-9]\d{0,5}$/.test(request.params.page) ? Number(request.params.page) : 0;
      if (file === null || page < 1 || page > file.pageCount) throw new SigningError('link_unknown');
      return { file: { sha256: file.sha256, accountId: session.document.account_id }, page };
    };

    app.get<PageRoute>(`/sign/:token/${part}/:page`, async (request, reply) => {
      const { file, page } = await findPage(request);
      const { mediaType, bytes } = await pages.image(file, page, readWidth(request.query.width));
      return reply.type(mediaType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    });

    app.get<PageRoute>(`/sign/:token/${part}/:page/text`, async (request, reply) => {
      const { file, page } = await findPage(request);
      const { lines } = await pages.text(file, page);
      const shown = lines.map(({ text, x, y, width, height }) => ({ text, x, y, width, height }));
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ lines: shown }));
    });

    app.get<PageRoute>(`/sign/:token/${part}/:page/text.txt`, async (request, reply) => {
      const { file, page } = await findPage(request);
      const { lines } = await pages.text(file, page);
      return reply.type('text/plain; charset=utf-8').send(lines.map(({ text }) => `${text}\n`).join(''));
    });
  };

  servePages('pages', async ({ document }) => {
    const file = await readDocumentFile(db, document.account_id, document.id);
    return file && { sha256: file.sha256.toString('hex'), pageCount: file.page_count };
  });
  servePages('sealed', async (session) => {
    const sealed = await findSealedPages(session, pages);
    return sealed && { sha256: sealed.sha256, pageCount: sealed.pages.length };
  });

  app.get<MarkRoute>('/sign/:token/marks/:number/:kind', async (request, reply) => {
    const { number, kind } = request.params;
    const session = await open(request);
    if (!/^[1-9]\d{0,3}$/.test(number) || !isMarkKind(kind)) throw new SigningError('link_unknown');
    const attachment = await readAttachment(db, session.document.account_id, session.document.id);
    const png = await readMarkPicture(db, session, attachment, Number(number), kind);
    return reply.type('image/png').send(png);
  });

  /** The hash of what the page shows of others, so that an open page notices when somebody signs. */
  app.get<{ Params: { token: string } }>('/sign/:token/shown', async (request, reply) => {
    const { document } = await open(request);
    const signatures = await listSignatures(db, document);
    const attachment = await readAttachment(db, document.account_id, document.id);
    const sha256 = shownSha256(signatures, attachment?.fields ?? []);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ sha256 }));
  });

  app.get<{ Params: { token: string } }>('/sign/:token/unsigned.pdf', async (request, reply) => {
    const { document } = await open(request);
    const file = await readDocumentFile(db, document.account_id, document.id);
    const stored = file && (await files.get(fileKey(file.sha256.toString('hex'))));
    if (stored === null) throw new SigningError('link_unknown');
    return reply
      .type('application/pdf')
      .header('content-length', stored.sizeBytes)
      .header('content-disposition', savedAs(file?.name.replace(/\.pdf$/i, '') ?? '', 'pdf'))
      .send(stored.stream);
  });
}

/** A PDF whose pages are shown. `sha256` in hex. */
interface PagedFile {
  sha256: string;
  pageCount: number;
}

/** Returns whether a session may show the file and its text. */
export function showsFile({ isLocked, state }: SigningSession): boolean {
  return !isLocked && ['open', 'signed', 'approved', 'completed'].includes(state.kind);
}

function assertShown(session: SigningSession): void {
  if (showsFile(session)) return;
  const { isLocked, state } = session;
  if (isLocked || state.kind === 'open') throw new SigningError('verification_required');
  throw new SigningError(refusalOf(state));
}

/** Returns the smallest offered width that is at least the requested one. A few fixed widths keep the cache small. */
function readWidth(requested: string | undefined): number {
  const width = requested === undefined ? widthDefault : Number(requested);
  return pageWidths.find((offered) => offered >= width) ?? (pageWidths.at(-1) as number);
}
