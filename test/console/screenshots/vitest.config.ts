import { defineConfig } from 'vitest/config';

/** `npm run screenshots` writes pictures of the console's pages to docs/screenshots. */
export default defineConfig({
  test: {
    include: ['test/console/screenshots/*.screenshots.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
