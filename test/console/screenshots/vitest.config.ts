import { defineConfig } from 'vitest/config';

/** `npm run screenshots` looks at every page of the console, and renews the pictures of the documentation. */
export default defineConfig({
  test: {
    include: ['test/console/screenshots/*.screenshots.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
