import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../api/openapi.ts';
import { prepareAnswer, sendPrepared } from '../http/prepared-answer.ts';
import { readStylesheets, themeCss, tokensCss } from '../http/stylesheet.ts';
import { llmsText } from './llms-text.ts';
import type { ReferenceOptions } from './reference.ts';
import { renderReferencePage } from './reference-page.ts';

/** Paths of the stylesheets of the reference, in order. */
export const referenceStylesheets = [
  tokensCss,
  themeCss,
  ...['frame.css', 'content.css', 'print.css'].map((name) => join(import.meta.dirname, name)),
];

/** Search engines may read the reference. All other pages are private. */
const robots = 'User-agent: *\nAllow: /docs\nDisallow: /\n';

/** Serves the API reference with its stylesheet and icon, the OpenAPI description, `llms.txt` and `robots.txt`. */
export async function docsRoutes(app: FastifyInstance, options: ReferenceOptions): Promise<void> {
  const { endpoints, baseUrl, docsUrl } = options;
  const stylesheet = prepareAnswer('text/css; charset=utf-8', readStylesheets(...referenceStylesheets));
  const icon = prepareAnswer('image/svg+xml', read('icon.svg'));
  const page = once(() => prepareAnswer('text/html; charset=utf-8', renderReferencePage(options)));
  const describe = () => openApiDocument(endpoints, { serverUrl: baseUrl(), docsUrl: docsUrl() });
  const json = once(() => prepareAnswer('application/json; charset=utf-8', `${JSON.stringify(describe(), null, 2)}\n`));
  const yaml = once(async () => {
    const { stringify } = await import('yaml'); // 70 modules, which no other page needs
    return prepareAnswer('application/yaml; charset=utf-8', stringify(describe(), { aliasDuplicateObjects: false }));
  });
  const llms = once(() => prepareAnswer('text/plain; charset=utf-8', llmsText(options)));
  const crawling = prepareAnswer('text/plain; charset=utf-8', robots);

  app.get('/docs', async (request, reply) => sendPrepared(request, reply, page()));
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/openapi.json', async (request, reply) => sendPrepared(request, reply, json()));
  app.get('/docs/openapi.yaml', async (request, reply) => sendPrepared(request, reply, await yaml()));
  app.get('/openapi.json', async (_request, reply) => reply.redirect('/docs/openapi.json', 308));
  app.get('/openapi.yaml', async (_request, reply) => reply.redirect('/docs/openapi.yaml', 308));
  app.get('/llms.txt', async (request, reply) => sendPrepared(request, reply, llms()));
  app.get('/robots.txt', async (request, reply) => sendPrepared(request, reply, crawling));
  app.get('/favicon.ico', async (request, reply) => sendPrepared(request, reply, icon));
  app.get('/docs/style.css', async (request, reply) => sendPrepared(request, reply, stylesheet));
  app.get('/docs/icon.svg', async (request, reply) => sendPrepared(request, reply, icon));
}

/** Delays `make` until the first call, because the server's address is only known then. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
