import { defineConfig } from 'vitest/config';

/** `npm run chaos`: the crashes of test/crash for CHAOS_MINUTES (5), with other moments in every round. */
export default defineConfig({
  test: {
    include: ['test/chaos/*.chaos.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 24 * 3_600_000,
    hookTimeout: 60_000,
  },
});
