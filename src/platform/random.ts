import { randomBytes } from 'node:crypto';

/** The only source of randomness, cryptographic in production. */
export interface Random {
  bytes(count: number): Buffer;
}

const poolBytes = 8192;

/**
 * Takes small draws from a pool that is filled at once, because twelve random bytes cost as much as thousands and each
 * request draws some. Used bytes are wiped from the pool.
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
