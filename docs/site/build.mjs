// Builds the documentation site into docs/site/dist, with Eleventy. The service serves it below /docs, and any static server or
// a browser that opens index.html shows the same.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { navigation } from './navigation.ts';

const here = import.meta.dirname;
const dist = join(here, 'dist');

export async function buildSite() {
  const [{ Eleventy }, { addressOf }] = await Promise.all([import('@11ty/eleventy'), import('./eleventy.config.mjs')]);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  process.chdir(join(here, '../..'));
  const site = new Eleventy('docs', 'docs/site/dist', { configPath: 'docs/site/eleventy.config.mjs', quietMode: true });
  await site.write();
  for (const name of ['site.css', 'search.js']) copyFileSync(join(here, name), join(dist, name));
  const require = createRequire(import.meta.url);
  copyFileSync(join(require.resolve('minisearch'), '../../umd/index.js'), join(dist, 'minisearch.js'));
  const addresses = navigation.flatMap(({ pages }) => pages).map(addressOf);
  const missing = addresses.filter((address) => !existsSync(join(dist, address)));
  if (missing.length > 0) throw new Error(`pages of the navigation were not built: ${missing.join(', ')}`);
  copyPictures(addresses);
  const index = addresses.flatMap((address) => sectionsOf(address, readFileSync(join(dist, address), 'utf8')));
  const numbered = index.map((section, id) => ({ id, ...section }));
  writeFileSync(join(dist, 'search-index.js'), `const searchIndex = ${JSON.stringify(numbered)};\n`);
  await writeReference();
}

/** Copies the screenshots that pages show. */
function copyPictures(addresses) {
  const shown = addresses.flatMap(
    (address) => readFileSync(join(dist, address), 'utf8').match(/screenshots\/[\w-]+\.webp/g) ?? [],
  );
  mkdirSync(join(dist, 'screenshots'));
  for (const name of new Set(shown)) copyFileSync(join(here, '..', name), join(dist, name));
}

/** Splits a page at its headings, so that a search leads to the section and not only to the page. */
function sectionsOf(address, html) {
  const main = /<main id="content">(.*?)<nav class="pager"/s.exec(html)[1];
  const parts = main.split(/(?=<h[1-3] id=")/).filter((part) => /^<h[1-3] id="/.test(part));
  const page = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)[1]);
  return parts.map((part) => {
    const [, level, id, title] = /^<h([1-3]) id="([^"]+)"[^>]*>(.*?)<\/h/s.exec(part);
    return { title: plain(title), page, address: level === '1' ? address : `${address}#${id}`, text: plain(part) };
  });
}

function plain(html) {
  const text = html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  return text.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]).trim();
}

/** The address of the server is an example. */
async function writeReference() {
  const { referenceFiles } = await import('./reference.mjs');
  for (const [name, text] of Object.entries(referenceFiles('https://sign.example.com'))) {
    writeFileSync(join(dist, name), text);
  }
}

if (process.argv[1] === import.meta.filename) await buildSite();
