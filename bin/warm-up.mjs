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
  'world/pdf/certificate/self-signed.ts',
  'world/pdf/certificate/write-pkcs12.ts',
];
// What the processes that read and write PDFs load with their first job.
const atFirstJob = [
  'world/pdf/check-certificate.ts',
  'world/pdf/seal-pdf.ts',
  'world/pdf/pdfium/inspect-pdf.ts',
  'world/pdf/pdfium/render-page.ts',
  'unlock/process/convert.ts',
  'unlock/render/render-pages.ts',
  'verify/examine-file.ts',
  'verify/extract-embedded.ts',
];
const pdfProcesses = [
  'world/pdf/process/main.ts',
  'world/pdf/pdfium/main.ts',
  'unlock/process/main.ts',
  'unlock/render/main.ts',
  'verify/verify-process.ts',
];
const compileAll = [...atStart, ...atFirstJob].map((name) => `await import(${source(name)});`).join('\n');

run(join(root, 'bin/countersign'), ['serve', '--help']);
run(process.execPath, ['--input-type=module', '-e', `${compileAll}\nprocess.exit();`]);
// Ends at its first setting, compiled by then.
run(process.execPath, [join(root, 'src/main.ts')], { PORT: 'none' });
// Each ends by itself where nobody gives it a job.
for (const name of pdfProcesses) run(process.execPath, [join(root, 'src', name), String(process.pid)]);

/** Whatever fails here shows when the service is started, and is said there. */
function run(command, args, settings = {}) {
  const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node');
  spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, NODE_COMPILE_CACHE, ...settings } });
}
