import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../api/openapi.ts';
import { type PreparedAnswer, prepareAnswer, sendPrepared } from '../http/prepared-answer.ts';
import type { ReferenceOptions } from './reference.ts';
import { renderReferencePage } from './reference-page.ts';

const stylesheets = ['theme.css', 'frame.css', 'content.css', 'print.css'];

/** GET /docs and what belongs to it: the OpenAPI description, one stylesheet, one icon. */
export async function docsRoutes(app: FastifyInstance, options: ReferenceOptions): Promise<void> {
  const { endpoints, baseUrl } = options;
  const stylesheet = prepareAnswer('text/css; charset=utf-8', stylesheets.map(read).join('\n'));
  const icon = prepareAnswer('image/svg+xml', read('icon.svg'));
  const page = once(() => prepareAnswer('text/html; charset=utf-8', renderReferencePage(options)));
  const description = once(() =>
    prepareAnswer(
      'application/json; charset=utf-8',
      `${JSON.stringify(openApiDocument(endpoints, { serverUrl: baseUrl() }), null, 2)}\n`,
    ),
  );

  app.get('/docs', async (request, reply) => sendPrepared(request, reply, page()));
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/openapi.json', async (request, reply) => sendPrepared(request, reply, description()));
  app.get('/docs/style.css', async (request, reply) => sendPrepared(request, reply, stylesheet));
  app.get('/docs/icon.svg', async (request, reply) => sendPrepared(request, reply, icon));
}

/** Made when first asked for: only then is the address known that the examples show. */
function once(make: () => PreparedAnswer): () => PreparedAnswer {
  let made: PreparedAnswer | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
