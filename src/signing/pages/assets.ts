import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readBuiltFile } from '../../http/built-pages.ts';
import { readStylesheets, tokensCss } from '../../http/stylesheet.ts';

export { contentSecurityPolicy } from '../../http/security-headers.ts';

export interface Asset {
  contentType: string;
  body: Buffer;
  etag: string;
}

/**
 * The files that pages load from `/assets/<name>`, by name. A name contains a hash of the content, so browsers may cache
 * it forever: `cache-control: public, max-age=31536000, immutable`.
 */
export const assets: Map<string, Asset> = new Map();

/** The address of each source file, for example `/assets/icon.1a2b3c4d5e.svg` for `icon.svg`. */
const addresses = new Map<string, string>();

export function assetUrl(name: string): string {
  const address = addresses.get(name);
  if (address === undefined) throw new Error(`there is no asset ${name}`);
  return address;
}

const here = import.meta.dirname;
const { resolve: packageFile } = createRequire(import.meta.url);

const contentTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const fontFile = (subset: string) =>
  packageFile(`@fontsource/dancing-script/files/dancing-script-${subset}-400-normal.woff2`);

// Fonts come first, because stylesheets contain their hashed addresses.
add('handwriting-latin.woff2', readFileSync(fontFile('latin')));
add('handwriting-latin-ext.woff2', readFileSync(fontFile('latin-ext')));
add('icon.svg', readFileSync(join(here, 'styles/icon.svg')));
add('signature-pad.js', readFileSync(join(dirname(packageFile('signature_pad')), 'signature_pad.min.js')));
export const signingStylesheets: readonly string[] = [
  addStylesheet('page.css', tokensCss),
  addStylesheet('signing.css'),
];
/** The stylesheets of a page with an attached file. */
export const fileStylesheets: readonly string[] = [...signingStylesheets, addStylesheet('file.css')];
export const signingScripts: readonly string[] = [addScript('signing-page')];
export const fileScripts: readonly string[] = [addScript('file-page')];

/** Adds a stylesheet of `styles/`, after others. */
function addStylesheet(name: string, ...before: string[]): string {
  const source = readStylesheets(...before, join(here, 'styles', name));
  return add(
    name,
    source.replace(/url\("\.\/([\w.-]+)"\)/g, (_match, file: string) => `url("${assetUrl(file)}")`),
  );
}

/** Adds a page's script, which `web/build.mjs` makes of `browser/` with everything that it imports. */
function addScript(entry: string): string {
  return add(`${entry}.js`, readBuiltFile(`pages/${entry}.js`));
}

function add(name: string, content: string | Buffer): string {
  const served = name.replace(/\.(\w+)$/, `.${contentHash(content)}.$1`);
  addresses.set(name, `/assets/${served}`);
  put(served, content);
  return `/assets/${served}`;
}

function put(served: string, content: string | Buffer): void {
  const contentType = contentTypes[served.slice(served.lastIndexOf('.') + 1)];
  if (contentType === undefined) throw new Error(`no content type for ${served}`);
  assets.set(served, { contentType, body: Buffer.from(content), etag: `"${contentHash(content)}"` });
}

function contentHash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 10);
}
