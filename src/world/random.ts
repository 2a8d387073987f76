import { randomBytes } from 'node:crypto';

/** The one source of randomness, cryptographic in production. */
export interface Random {
  bytes(count: number): Buffer;
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };
