// Builds the console's pages and the scripts of the other pages into web/dist, unless what is there is made of the same
// sources. They are served from there.
// `--if-possible`: without the build tools (npm ci --omit=dev, --omit=optional) it says so and succeeds.
// The console's files are compressed here, at the highest level, and not when they are requested.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const stampName = 'sources.sha256';
const sources = ['src', '../src/signing/pages/browser', '../src/console/sign-in/pages/browser', '../src/http/styles'];
/** Scripts of the pages that the server renders. */
const pageScripts = [
  'signing/pages/browser/signing-page',
  'signing/pages/browser/file-page',
  'signing/pages/browser/draw-page',
  'signing/pages/browser/draw-tab',
  'signing/pages/browser/form-view',
  'signing/pages/browser/saved-marks',
  'signing/pages/browser/embed',
  'console/sign-in/pages/browser/sign-in',
];
const noBuildTools = 'NoBuildTools';

/** Returns whether anything had to be built. Throws `noBuildTools` if something has to be built without the build tools. */
async function buildPages() {
  const stamp = stampOfSources();
  if (isCurrent(stamp)) return false;
  // Vite is loaded only here, because most starts find an up-to-date build.
  const { build } = await loadVite();
  const fresh = join(root, `dist-${process.pid}`);
  try {
    const configFile = join(root, 'vite.config.ts');
    await build({ configFile, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } });
    compressAll(fresh);
    for (const mode of pageScripts) {
      const outDir = join(fresh, 'pages');
      await build({
        configFile: join(root, 'pages.config.ts'),
        mode,
        logLevel: 'warn',
        build: { outDir, emptyOutDir: false },
      });
    }
    writeFileSync(join(fresh, stampName), stamp);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return true;
}

function stampOfSources() {
  const hash = createHash('sha256');
  const names = sources
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const settings = [
    'vite.config.ts',
    'pages.config.ts',
    'build.mjs',
    '../package-lock.json',
    '../src/document-types.ts',
    '../src/documents/field-condition.ts',
    '../src/documents/field-types.ts',
    '../src/documents/number-value.ts',
  ].map((name) => join(root, name));
  for (const name of [...names, ...settings]) hash.update(`${name.slice(root.length)}\n`).update(readFileSync(name));
  return hash.digest('hex');
}

function isCurrent(stamp) {
  const path = join(dist, stampName);
  return existsSync(path) && readFileSync(path, 'utf8') === stamp;
}

function compressAll(folder) {
  for (const name of readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name))) {
    const plain = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(plain, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(plain, { level: 9 }));
  }
}

/** The bundler and the style sheets' compiler are optional packages with a program for each system. */
async function loadVite() {
  try {
    const [vite] = await Promise.all([import('vite'), import('@tailwindcss/vite'), import('react')]);
    return vite;
  } catch (cause) {
    throw Object.assign(new Error('the build tools are not installed', { cause }), { name: noBuildTools });
  }
}

async function main() {
  try {
    if (await buildPages()) console.log('built the pages');
  } catch (error) {
    if (error.name !== noBuildTools) throw error;
    const isBuilt = existsSync(join(dist, 'manifest.json'));
    const state = isBuilt ? 'are those of an earlier build' : 'are not built';
    console.error(`The console's pages ${state}: building them needs npm ci without --omit=dev or --omit=optional.`);
    if (!isBuilt && !process.argv.includes('--if-possible')) process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) await main();
