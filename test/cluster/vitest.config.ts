import { defineConfig } from 'vitest/config';

/** `npm run cluster`: CLUSTER_ROUNDS (20) faults of a cluster of machines under load. */
export default defineConfig({
  test: {
    include: ['test/cluster/*.cluster.ts'],
    pool: 'forks',
    testTimeout: 24 * 3_600_000,
    hookTimeout: 180_000,
  },
});
