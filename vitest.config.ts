import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { hasTool } from './test/support/tools.ts';

/** Tests that need a program npm cannot bring. `npm test` installs it where it can, and says which tests it skips. */
const hasBrowser = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
].some(hasTool);
const hasPdfJudges = ['pdfsig', 'qpdf', 'openssl'].every(hasTool);
const skipped = [
  ...(hasBrowser ? [] : ['**/*.browser.test.ts', 'test/browser/**']),
  ...(hasPdfJudges ? [] : ['src/sealing/seal-pdf.test.ts', 'src/sealing/certificate.test.ts', 'test/browser/**']),
];

// Most of what starting a process costs is compiling, and the tests start many.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...skipped],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Files share the modules of their worker: loading the service takes a third of the time of a file. What a file changes
    // in its process, such as a setting or a global, it puts back at its end.
    isolate: false,
    // One more than there are cores, because many tests wait for processes, sockets and leases. More than six would need more
    // connections than the test server has.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    // What is waited for comes about soon, but not within a second of a machine that is busy.
    expect: { poll: { timeout: 60_000 } },
    // Tests that kill processes take a minute and a half on a slow machine, and several on a busy one.
    testTimeout: 480_000,
    hookTimeout: 480_000,
  },
});
