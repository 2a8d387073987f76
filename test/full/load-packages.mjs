// Loads every package of an installation, by `import` and by `require`. Fails when a file that one of them needs is not there:
// `node --experimental-import-meta-resolve load-packages.mjs FOLDER`. Needs no package, and Node 20 or newer.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = join(process.argv[2], 'node_modules');
const missing = [];
let loaded = 0;
// Programs among them begin to work, and complain later.
process.on('uncaughtException', note).on('unhandledRejection', note);
// @peculiar/x509 wants this before itself.
await load('reflect-metadata', join(modules, 'package.json'));
for (const folder of packagesIn(modules)) {
  const from = join(folder, 'package.json');
  const { name, main, module, exports } = JSON.parse(readFileSync(from, 'utf8'));
  // The service reads files of these; it does not load them as modules.
  if (/^(@expo-google-fonts\/.+|tesseract\.js-core|node-(linux|darwin)-\w+)$/.test(name)) continue;
  if (!main && !module && !exports && !existsSync(join(folder, 'index.js'))) continue;
  const paths = ['.', ...Object.keys(exports ?? {}).filter((path) => path.startsWith('./'))];
  for (const path of paths.filter((path) => !/\*|\/$|\.(json|css|wasm|md|d\.[cm]?ts)$/.test(path))) {
    await load(`${name}${path.slice(1)}`, from);
  }
}
for (const line of missing) console.error(line);
if (missing.length > 0) process.exit(1);
console.log(`loaded ${loaded} packages and parts of packages`);
process.exit();

/** Both ways. Errors other than a file that is not there are the package's own, such as one that is made for browsers. */
async function load(specifier, from) {
  const require = createRequire(from);
  const ways = [() => import(import.meta.resolve(specifier, pathToFileURL(from))), () => require(specifier)];
  for (const way of ways) {
    try {
      await way();
      loaded += 1;
    } catch (error) {
      note(error, specifier);
    }
  }
}

function note(error, from) {
  const isMissing = /^(ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ENOENT)$/.test(error?.code);
  if (isMissing) missing.push(`${from}: ${error.message.split('\n')[0]}`);
}

function packagesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.name.startsWith('@') ? packagesIn(path) : [path, ...packagesIn(join(path, 'node_modules'))];
    });
}
