import { defineConfig } from 'vitest/config';

/** `npm run engines`: signing in Firefox and in WebKit, the engine of Safari. */
export default defineConfig({
  test: {
    include: ['test/engines/*.engines.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
