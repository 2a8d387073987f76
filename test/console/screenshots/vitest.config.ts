import { defineConfig } from 'vitest/config';

/** `npm run screenshots`: the pages of the console as they are now, into docs/screenshots. */
export default defineConfig({
  test: {
    include: ['test/console/screenshots/*.screenshots.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
