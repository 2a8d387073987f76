import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../platform/ids.ts';
import { findSsoById } from '../../sso/connection.ts';
import { callbackPath } from '../../sso/json.ts';
import type { ConsoleDeps } from '../core/console-endpoint.ts';
import { nextOf } from '../core/next-path.ts';
import { languageOf } from '../core/preferences.ts';
import { renderSsoCallbackPage, renderSsoFailedPage, renderSsoPage, renderUnknownSsoPage } from './pages/sso-pages.ts';

interface Asked {
  Querystring: { to?: string; reason?: string };
  Params: { id: string };
}

/** Serves the pages of single sign-on: a company's own sign-in page, the return from the provider, and why a sign-in failed. */
export async function ssoPages(app: FastifyInstance, { deps }: { deps: ConsoleDeps }): Promise<void> {
  app.get<Asked>('/sign-in/sso/:id', async (request, reply) => {
    const { id } = request.params;
    const language = languageOf(request);
    const connection = isUuid(id) ? await findSsoById(deps.db, id) : null;
    if (connection === null) return reply.code(404).send(renderUnknownSsoPage(language));
    const { host } = new URL(connection.issuer);
    return reply.send(renderSsoPage(language, { id, host, next: nextOf(request.query.to) }));
  });
  app.get(callbackPath(':account'), async (request, reply) => reply.send(renderSsoCallbackPage(languageOf(request))));
  app.get<Asked>('/sign-in/sso/failed', async (request, reply) =>
    reply.send(renderSsoFailedPage(languageOf(request), String(request.query.reason ?? ''))),
  );
}
