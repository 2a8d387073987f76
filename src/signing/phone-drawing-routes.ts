import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBrand } from '../branding/brand.ts';
import { originOf } from '../http/custom-host.ts';
import { readJsonBody } from '../http/json-body.ts';
import { withoutDirectionOverrides } from '../platform/direction-overrides.ts';
import { qrPath } from '../platform/qr-path.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { allowLargeBodies } from './large-bodies.ts';
import { pageBrand } from './page-brand.ts';
import { pageLanguage } from './page-language.ts';
import { renderDrawingPage } from './pages/drawing-page.ts';
import { renderDrawingEndedPage, renderDrawingSentPage } from './pages/notice-pages.ts';
import { findRequestedDrawing, markOpened, readDrawing, receiveDrawing, requestDrawing } from './phone-drawing.ts';
import { readDrawnMark, readDrawnPng } from './signing-form.ts';
import { drawingPath } from './signing-paths.ts';
import { type Access, readSession } from './signing-session.ts';

interface SigningRoute {
  Params: { token: string };
}

interface WaitingRoute {
  Params: { token: string; id: string };
}

/** What `signing-routes.ts` shares with this file. */
export interface PhoneDrawingRoutesOptions {
  world: World;
  database: Database;
  /** The origin of the pages. */
  origin: () => string;
  accessOf: (request: FastifyRequest<SigningRoute>) => Access;
  assertFromOurPage: (request: FastifyRequest) => void;
}

const json = 'application/json; charset=utf-8';

/**
 * Serves drawing on a phone: the signing page asks for a QR code and then regularly whether the drawing is there, and the phone
 * that read the code draws on a page of its own. A GET changes nothing here either.
 */
export function phoneDrawingRoutes(app: FastifyInstance, options: PhoneDrawingRoutesOptions): void {
  const { world, database, origin, accessOf, assertFromOurPage } = options;

  app.post<SigningRoute>('/sign/:token/phone-drawing', async (request, reply) => {
    assertFromOurPage(request);
    const mark = readDrawnMark(readJsonBody(request));
    const session = await readSession(world, database, accessOf(request));
    const { id, path, expiresAt } = await requestDrawing(world, database, session, mark);
    const qr = qrPath(originOf(request, origin()) + path);
    return reply.type(json).send(JSON.stringify({ state: session.state.kind, drawing: { id, qr, expiresAt } }));
  });

  app.get<WaitingRoute>('/sign/:token/phone-drawing/:id', async (request, reply) => {
    const session = await readSession(world, database, accessOf(request));
    const progress = await readDrawing(world, database, session, request.params.id);
    const drawn = progress.state === 'drawn' ? { png: progress.png.toString('base64') } : {};
    return reply.type(json).send(JSON.stringify({ state: progress.state, ...drawn }));
  });

  app.get<SigningRoute>(drawingPath, async (request, reply) => {
    const { token } = request.params;
    const view = await findRequestedDrawing(world, database, token);
    reply.type('text/html; charset=utf-8');
    const language = pageLanguage(request, view?.documentLanguage ?? null);
    if (view === null) return reply.code(404).send(renderDrawingEndedPage(language));
    if (view.isDrawn) return reply.send(renderDrawingSentPage(language));
    const brand = pageBrand(await readBrand(database, view.accountId));
    const title = withoutDirectionOverrides(view.title);
    return reply.send(renderDrawingPage({ ...view, title, language, brand, address: `/draw/${token}` }));
  });

  app.post<SigningRoute>(`${drawingPath}/opened`, async (request, reply) => {
    assertFromOurPage(request);
    await markOpened(world, database, request.params.token);
    return reply.type(json).send('{}');
  });

  const preParsing = allowLargeBodies(async ({ params }: FastifyRequest<SigningRoute>) => {
    return (await findRequestedDrawing(world, database, params.token)) !== null;
  });
  app.post<SigningRoute>(`${drawingPath}/drawing`, { preParsing }, async (request, reply) => {
    assertFromOurPage(request);
    await receiveDrawing(world, database, request.params.token, () => readDrawnPng(readJsonBody(request)));
    return reply.type(json).send('{}');
  });
}
