// Builds the documentation site into docs/site/dist, with Eleventy. The service serves it below /docs, and any static server or
// a browser that opens index.html shows the same.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const here = import.meta.dirname;
const dist = join(here, 'dist');

const sources = [
  'docs',
  'samples',
  'CHANGELOG.md',
  'packages/client/README.md',
  'packages/client-python/README.md',
  'packages/react/README.md',
  'package-lock.json',
  'src/docs',
  'src/api',
  'src/http/styles',
  'src/errors.ts',
];
const stampName = 'sources.sha256';

/** Builds the site into a new directory and then puts it in place, so that a running service never serves half of it. */
async function buildSite(stamp) {
  const fresh = join(here, `dist-${process.pid}`);
  try {
    await writePages(fresh);
    writeFileSync(join(fresh, stampName), stamp);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function writePages(folder) {
  const { Eleventy } = await import('@11ty/eleventy');
  const { addressOf } = await import('./eleventy.config.mjs');
  const { navigation } = await import('./navigation.ts');
  mkdirSync(folder);
  const site = new Eleventy('docs', folder, { configPath: 'docs/site/eleventy.config.mjs', quietMode: true });
  site.disableLogger();
  await site.write();
  const write = (name, content) => writeFileSync(join(folder, name), content);
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  for (const name of ['site.css', 'search.js']) write(name, readFileSync(join(here, name)));
  write(
    'minisearch.js',
    readFileSync(
      createRequire(import.meta.url)
        .resolve('minisearch')
        .replace('cjs/index.cjs', 'umd/index.js'),
    ),
  );
  const { referenceFiles } = await import('./reference.mjs');
  for (const [name, text] of Object.entries(referenceFiles('https://sign.example.com'))) write(name, text);

  const addresses = navigation.flatMap(({ pages }) => pages).map(addressOf);
  copyPictures(addresses.map(read), folder);
  const sections = [
    ...addresses.flatMap((address) => sectionsOf(address, read(address))),
    ...referenceSections(read('reference.html')),
  ];
  write(
    'search-index.js',
    `const searchIndex = ${JSON.stringify(sections.map((section, id) => ({ id, ...section })))};\n`,
  );
}

/** Copies the screenshots that pages show. */
function copyPictures(pages, folder) {
  mkdirSync(join(folder, 'screenshots'));
  const shown = new Set(pages.flatMap((page) => page.match(/screenshots\/[\w-]+\.webp/g) ?? []));
  for (const name of shown) copyFileSync(join(here, '..', name), join(folder, name));
}

/** Splits a page at its headings, so that a search leads to the section and not only to the page. */
function sectionsOf(address, html) {
  const main = /<main id="content">(.*?)<nav class="pager"/s.exec(html)[1];
  const page = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)[1]);
  const parts = main.split(/(?=<h[1-3] id=")/).filter((part) => /^<h[1-3] id="/.test(part));
  return parts.map((part) => {
    const [, level, id, title] = /^<h([1-3]) id="([^"]+)"[^>]*>(.*?)<\/h/s.exec(part);
    return { title: plain(title), page, address: level === '1' ? address : `${address}#${id}`, text: plain(part) };
  });
}

/** Sections of the reference: chapters, endpoints and error codes. */
function referenceSections(html) {
  const parts = html.split(/(?=<(?:section|article)[^>]* id=")/).slice(1);
  return parts.map((part) => {
    const [, id] = / id="([^"]+)"/.exec(part);
    const [, title] = /<h[2-4][^>]*>(.*?)<\/h[2-4]>/s.exec(part);
    return { title: plain(title), page: 'API reference', address: `reference.html#${id}`, text: plain(part) };
  });
}

function plain(html) {
  const text = html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  return text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name) => entities[name]).trim();
}

const entities = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

function stampOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) for (const file of filesIn(source)) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => !/^docs\/site\/dist/.test(file)).sort();
}

async function main() {
  process.chdir(join(here, '../..'));
  const stamp = stampOfSources();
  if (existsSync(join(dist, stampName)) && readFileSync(join(dist, stampName), 'utf8') === stamp) return;
  // A Node without types, or an installation without the build tools, can't build the pages.
  if (!process.features.typescript || !existsSync('node_modules/@11ty/eleventy')) {
    console.error('The documentation site is not built: that needs npm ci without --omit=dev, and Node 24.7 or newer.');
    return;
  }
  await buildSite(stamp);
  console.log('built the documentation');
}

if (process.argv[1] === import.meta.filename) await main();
