import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageHeaders } from '../../../http/security-headers.ts';
import type { PageLanguage } from '../../../page-texts/texts.ts';
import { signingAssets } from '../assets.ts';
import {
  type LockedPageView,
  renderFinishedPage,
  renderLockedPage,
  renderSigningPage,
  type SigningPageView,
} from '../signing-page.ts';
import { pageImage, pageText } from './sample-pages.ts';

export interface Posted {
  path: string;
  body: unknown;
}

export type PageView = SigningPageView | LockedPageView;

export interface ServedPage {
  url: string;
  /** What the page shows from the next request on. The menu of languages changes its language. */
  view: PageView;
  posts: Posted[];
  requests: string[];
  /** How the next POSTs are answered; `hang up` drops the connection. 200 unless told. */
  answer: { status: number; code: string; param?: string; retryAfterSeconds?: number } | 'hang up' | null;
  /** What a 200 says in addition to the state. */
  answerBody: object;
  /** Whether the images of an attached file fail. */
  failsImages: boolean;
  /** Held back until resolved, so that a test can act while a request is under way. */
  hold: Promise<void> | null;
  close(): Promise<void>;
}

/**
 * One signing page behind a real HTTP server: it renders `view`, serves the assets and the pages of a file, remembers
 * what was posted and, of what is filled in, shows the newest.
 */
export async function servePage(view: PageView): Promise<ServedPage> {
  const server = createServer((request, response) => {
    respond(page, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const page: ServedPage = {
    url: `http://127.0.0.1:${port}${view.address}`,
    view,
    posts: [],
    requests: [],
    answer: null,
    answerBody: {},
    failsImages: false,
    hold: null,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return page;
}

async function respond(page: ServedPage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  page.requests.push(`${request.method} ${path}`);
  if (request.method === 'POST') return respondToPost(page, path, request, response);
  if (path === `${page.view.address}/shown` && 'shown' in page.view) {
    const { sha256 } = page.view.shown;
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sha256 }));
  }
  const [, number, isText] = path.match(/\/(?:pages|sealed)\/(\d+)(\/text)?/) ?? [];
  if (number !== undefined) return respondWithPage(page, Number(number), isText !== undefined, response);
  const asset = signingAssets().files.get(path.replace(/^\/assets\/|\?.*$/g, ''));
  if (asset) {
    response.writeHead(200, { 'content-type': asset.contentType, etag: asset.etag }).end(asset.body);
  } else if (path === page.view.address) {
    response.writeHead(200, pageHeaders).end(render(page.view));
  } else if (path.startsWith(`${page.view.address}?language=`)) {
    page.view = { ...page.view, language: path.slice(-2) as PageLanguage };
    response.writeHead(303, { location: page.view.address }).end();
  } else if (path === '/sign/finished') {
    response.writeHead(200, pageHeaders).end(renderFinishedPage(page.view.language));
  } else {
    response.writeHead(404).end();
  }
}

function respondWithPage(page: ServedPage, number: number, isText: boolean, response: ServerResponse): void {
  const size = 'file' in page.view ? page.view.file?.pages[number - 1] : undefined;
  if (size === undefined || page.failsImages) {
    response.writeHead(404).end();
  } else if (isText) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pageText(number, size)));
  } else {
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(pageImage(number, size));
  }
}

function render(view: PageView): string {
  return 'document' in view ? renderSigningPage(view) : renderLockedPage(view);
}

async function respondToPost(
  page: ServedPage,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  page.posts.push({ path: path.split('/').at(-1) ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
  if (!path.endsWith('/viewed')) await page.hold;
  if (page.answer === 'hang up') return void response.destroy();
  if (page.answer === null && path.endsWith('/progress')) keepValues(page);
  const { code, param } = page.answer ?? {};
  const { status, body } = page.answer
    ? { status: page.answer.status, body: { error: { code, message: 'said to developers', param } } }
    : { status: 200, body: { state: stateAfter(path, page), ...page.answerBody } };
  const { retryAfterSeconds } = page.answer ?? {};
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The view is what the next page shows. Values that are saved before the signature leave the document open. */
function stateAfter(path: string, { view }: ServedPage): string {
  return path.endsWith('/progress') ? 'open' : view.state.kind;
}

function keepValues(page: ServedPage): void {
  if (!('file' in page.view) || page.view.file === null) return;
  const values = (page.posts.at(-1)?.body as { fields?: Record<string, string | null> } | undefined)?.fields ?? {};
  const { file } = page.view;
  const fields = file.fields.map((field) =>
    field.id in values ? { ...field, value: values[field.id] ?? null } : field,
  );
  page.view = { ...page.view, file: { ...file, fields } };
}
