import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { acceptsEncoding } from '../../http/accepts-encoding.ts';
import { builtPages, readBuiltFile } from '../../http/built-pages.ts';

/** The console's pages, built by `web/build.mjs`. */
export interface BuiltConsole {
  stylesheets: string[];
  /** The first script runs. It imports the others. */
  scripts: string[];
  /** The address of the font of the console and the sign-in pages. */
  font: string;
  /** All files, by name. */
  files: ReadonlySet<string>;
}

/** One file of Vite's manifest. The manifest is keyed by source file. */
interface ManifestEntry {
  file: string;
  css?: string[];
  imports?: string[];
  assets?: string[];
}

const entry = 'src/main.tsx';
const address = '/console/app/';

/** Reads the manifest of the built pages. Throws an `OperatorError` if the pages were not built. */
export function readBuiltConsole(): BuiltConsole {
  const manifest = JSON.parse(readBuiltFile('manifest.json').toString()) as Record<string, ManifestEntry>;
  const { file, css = [], imports = [], assets = [] } = manifest[entry] as ManifestEntry;
  const font = assets.find((name) => extname(name) === '.woff2') as string;
  const files = Object.values(manifest).flatMap((built) => [built.file, ...(built.css ?? []), ...(built.assets ?? [])]);
  return {
    stylesheets: css.map((name) => address + name),
    scripts: [file, ...imports.map((name) => (manifest[name] as ManifestEntry).file)].map((name) => address + name),
    font: address + font,
    files: new Set(files),
  };
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Fonts are compressed already. */
const fontType = 'font/woff2';

/** Declares the console's font for the stylesheets of other pages. `web/src/styles.css` declares it for the console. */
export function fontFaceCss({ font }: Pick<BuiltConsole, 'font'>): string {
  const stack = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
  return `@font-face { font-family: "Inter Variable"; font-style: normal; font-weight: 100 900; font-display: swap;
  src: url("${font}") format("woff2"); }
:root { --sans: ${stack}; --serif: var(--sans); }
`;
}

/** Serves the built files. They are read from disk each time, because each browser loads them only once. */
export function builtFileRoutes(app: FastifyInstance, { files }: BuiltConsole): void {
  app.get<{ Params: { name: string } }>(`${address}:name`, async (request, reply) => {
    const { name } = request.params;
    if (!files.has(name)) return reply.callNotFound();
    const type = types[extname(name)];
    reply.type(type ?? fontType).headers({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    return type === undefined ? reply.send(await read(name)) : sendCompressed(reply, name, request.headers);
  });
}

async function sendCompressed(reply: FastifyReply, name: string, headers: IncomingHttpHeaders) {
  if (acceptsEncoding(headers, 'br')) return reply.header('content-encoding', 'br').send(await read(`${name}.br`));
  if (acceptsEncoding(headers, 'gzip')) return reply.header('content-encoding', 'gzip').send(await read(`${name}.gz`));
  return reply.send(await read(name));
}

function read(name: string): Promise<Buffer> {
  return readFile(join(builtPages, name));
}
