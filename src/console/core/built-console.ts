import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { builtPages, readBuiltFile } from '../../http/built-pages.ts';

/** The console's pages, built by `web/build.mjs`. */
export interface BuiltConsole {
  stylesheets: string[];
  /** The first script runs. It imports the others. */
  scripts: string[];
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
  const { file, css = [], imports = [] } = manifest[entry] as ManifestEntry;
  const files = Object.values(manifest).flatMap((built) => [built.file, ...(built.css ?? []), ...(built.assets ?? [])]);
  return {
    stylesheets: css.map((name) => address + name),
    scripts: [file, ...imports.map((name) => (manifest[name] as ManifestEntry).file)].map((name) => address + name),
    files: new Set(files),
  };
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the built files. They are read from disk each time, because each browser loads them only once. */
export function builtFileRoutes(app: FastifyInstance, { files }: BuiltConsole): void {
  app.get<{ Params: { name: string } }>(`${address}:name`, async (request, reply) => {
    const { name } = request.params;
    if (!files.has(name)) return reply.callNotFound();
    const type = types[extname(name)];
    reply.type(type ?? 'application/octet-stream').headers({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    return type === undefined ? reply.send(await read(name)) : sendCompressed(reply, name, request.headers);
  });
}

async function sendCompressed(reply: FastifyReply, name: string, headers: IncomingHttpHeaders) {
  const accepted = String(headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(await read(`${name}.br`));
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(await read(`${name}.gz`));
  return reply.send(await read(name));
}

function read(name: string): Promise<Buffer> {
  return readFile(join(builtPages, name));
}
