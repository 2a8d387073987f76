import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readBuiltFile } from '../../http/built-pages.ts';
import { readStylesheets, tokensCss } from '../../http/stylesheet.ts';

export interface Asset {
  contentType: string;
  body: Buffer;
  etag: string;
}

/** What the signing pages load from `/assets/<name>`. Addresses are like `/assets/icon.1a2b3c4d5e.svg` for `icon.svg`. */
export interface Assets {
  /**
   * The files by name. A name contains a hash of the content, so browsers may cache it forever:
   * `cache-control: public, max-age=31536000, immutable`.
   */
  files: ReadonlyMap<string, Asset>;
  urlOf(name: string): string;
  stylesheets: readonly string[];
  scripts: readonly string[];
  /** The stylesheets and scripts of a page with an attached file. */
  fileStylesheets: readonly string[];
  fileScripts: readonly string[];
  /** The stylesheets and scripts of the page on which a phone draws. */
  drawStylesheets: readonly string[];
  drawScripts: readonly string[];
  /** What the tab for drawing needs. The page loads it when the tab is opened. */
  drawTabScript: string;
  /** What the view of a file's fields as a form needs. The page loads it when it is asked for. */
  formViewStylesheet: string;
  formViewScript: string;
  /** What offers saved signatures. Pages of recipients who may save load it. */
  savedScript: string;
  /** What an open page may load hours later, perhaps from a newer release than its own. It must work with the pages of the release before. */
  loadedLater: readonly string[];
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

let loaded: Assets | null = null;

/** Reads the assets at the first call. Throws an `OperatorError` if the pages were not built. */
export function signingAssets(): Assets {
  loaded ??= readAssets();
  return loaded;
}

function readAssets(): Assets {
  const files = new Map<string, Asset>();
  const addresses = new Map<string, string>();

  // Fonts come first, because stylesheets contain their addresses.
  add('handwriting-latin.woff2', readFileSync(fontFile('latin')));
  add('handwriting-latin-ext.woff2', readFileSync(fontFile('latin-ext')));
  add('icon.svg', readFileSync(join(here, 'styles/icon.svg')));
  add('signature-pad.js', readFileSync(join(dirname(packageFile('signature_pad')), 'signature_pad.min.js')));
  const stylesheets = [addStylesheet('page.css', tokensCss), addStylesheet('signing.css')];
  const drawTabScript = addScript('draw-tab');
  const formViewStylesheet = addStylesheet('form-view.css');
  const formViewScript = addScript('form-view');
  return {
    files,
    urlOf,
    stylesheets,
    scripts: [addScript('signing-page')],
    fileStylesheets: [...stylesheets, addStylesheet('file.css')],
    fileScripts: [addScript('file-page')],
    drawStylesheets: [...stylesheets, addStylesheet('draw.css')],
    drawScripts: [addScript('draw-page')],
    drawTabScript,
    formViewStylesheet,
    formViewScript,
    savedScript: addScript('saved-marks'),
    loadedLater: [drawTabScript, urlOf('signature-pad.js'), formViewStylesheet, formViewScript],
  };

  function urlOf(name: string): string {
    const address = addresses.get(name);
    if (address === undefined) throw new Error(`there is no asset ${name}`);
    return address;
  }

  /** Adds a stylesheet of `styles/`, after others. */
  function addStylesheet(name: string, ...before: string[]): string {
    const source = readStylesheets(...before, join(here, 'styles', name));
    return add(
      name,
      source.replace(/url\("\.\/([\w.-]+)"\)/g, (_match, file: string) => `url("${urlOf(file)}")`),
    );
  }

  /** Adds a page's script, which `web/build.mjs` makes of `browser/` with everything that it imports. */
  function addScript(entry: string): string {
    return add(`${entry}.js`, readBuiltFile(`pages/${entry}.js`));
  }

  function add(name: string, content: string | Buffer): string {
    const served = name.replace(/\.(\w+)$/, `.${contentHash(content)}.$1`);
    const contentType = contentTypes[served.slice(served.lastIndexOf('.') + 1)];
    if (contentType === undefined) throw new Error(`no content type for ${served}`);
    files.set(served, { contentType, body: Buffer.from(content), etag: `"${contentHash(content)}"` });
    addresses.set(name, `/assets/${served}`);
    return `/assets/${served}`;
  }
}

function contentHash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 10);
}
