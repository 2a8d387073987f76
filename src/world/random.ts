import { randomBytes } from 'node:crypto';

/** The one source of randomness, cryptographic in production. */
export interface Random {
  bytes(count: number): Buffer;
}

const poolBytes = 8192;

/**
 * Small draws come from a pool filled at once: asking the system for twelve bytes costs as much as for thousands, and
 * every request draws some. What is handed out is wiped from the pool.
 */
export const systemRandom: Random = pooled();

function pooled(): Random {
  let pool = Buffer.alloc(0);
  let used = 0;

  return {
    bytes(count) {
      if (count > poolBytes / 8) return randomBytes(count);
      if (used + count > pool.length) {
        pool = randomBytes(poolBytes);
        used = 0;
      }
      const drawn = pool.subarray(used, used + count);
      used += count;
      const bytes = Buffer.from(drawn);
      drawn.fill(0);
      return bytes;
    },
  };
}
