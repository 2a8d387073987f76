// Has Node compile the service before its first start, which then takes less time and 30 MB less memory: what strips the types
// is not loaded where everything comes from the cache. `npm ci` runs this; without it, the first start fills the cache.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const source = (name) => JSON.stringify(join(root, 'src', name));
const atStart = [
  'service.ts',
  'web-role.ts',
  'worker-role.ts',
  'demo.ts',
  'pdf/signatures/self-signed.ts',
  'pdf/signatures/write-pkcs12.ts',
];
// What the processes that read and write PDFs load at their start and with their first job. Each kind has a cache of its own.
const pdfProcesses = {
  seal: ['sealing/main.ts', 'pdf/signatures/check-certificate.ts', 'sealing/seal-pdf.ts'],
  read: ['pdf/pdfium/main.ts', 'pdf/pdfium/inspect-pdf.ts', 'pdf/pdfium/render-page.ts'],
  unlock: ['unlock/convert/process/main.ts', 'unlock/convert/process/convert.ts'],
  render: ['unlock/text/render/main.ts', 'unlock/text/render/render-pages.ts'],
  verify: ['verify/verify-process.ts', 'verify/examine-file.ts', 'verify/extract-embedded.ts'],
};
const cache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node');

run(join(root, 'bin/countersign'), ['serve', '--help']);
// `--expose-gc`, with which bin/countersign starts Node, has a compile cache of its own. So both are filled.
for (const flags of [[], ['--expose-gc']]) {
  compile(atStart, {}, flags);
  // Ends at its first setting, compiled by then.
  run(process.execPath, [...flags, join(root, 'src/main.ts')], { PORT: 'none' });
}
for (const [name, [entry, ...atFirstJob]] of Object.entries(pdfProcesses)) {
  const settings = { NODE_COMPILE_CACHE: join(cache, `pdf-${name}`) };
  compile(atFirstJob, settings);
  // Ends by itself where nobody gives it a job.
  run(process.execPath, [join(root, 'src', entry), String(process.pid)], settings);
}

function compile(names, settings, flags = []) {
  const code = names.map((name) => `await import(${source(name)});`).join('\n');
  run(process.execPath, [...flags, '--input-type=module', '-e', `${code}\nprocess.exit();`], settings);
}

/** Whatever fails here shows when the service is started, and is said there. */
function run(command, args, settings = {}) {
  spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, NODE_COMPILE_CACHE: cache, ...settings } });
}
