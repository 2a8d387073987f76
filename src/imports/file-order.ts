import { setTimeout as sleep } from 'node:timers/promises';

/** One file's place among the files of its import. */
export interface FilePlace {
  /** Notes the size that the source declares. Null if it declares none. */
  declare(bytes: number | null): void;
  /** Waits until no earlier file can have the same bytes as this one, of `bytes` in length, or has taken too long. */
  waitForEarlier(bytes: number): Promise<void>;
  end(): void;
}

interface Earlier {
  declared: PromiseWithResolvers<number | null>;
  ended: PromiseWithResolvers<undefined>;
  /** Ends the wait of all later files. It starts with the first wait. */
  limit: Promise<undefined> | null;
}

/** A slow file delays the files after it by this much at most. */
const waitMsMax = 5000;

/**
 * Returns the places of `count` files that run at once. When several have the same bytes, the first in the order sent is recorded
 * first, so it becomes the document and the others are its duplicates.
 */
export function createFileOrder(count: number): FilePlace[] {
  const files = Array.from({ length: count }, (): Earlier => {
    return { declared: Promise.withResolvers(), ended: Promise.withResolvers(), limit: null };
  });
  return files.map(({ declared, ended }, index) => ({
    declare: (bytes) => declared.resolve(bytes),
    async waitForEarlier(bytes) {
      for (const earlier of files.slice(0, index)) await waitFor(earlier, bytes);
    },
    end() {
      declared.resolve(null);
      ended.resolve(undefined);
    },
  }));
}

async function waitFor(earlier: Earlier, bytes: number): Promise<void> {
  earlier.limit ??= sleep(waitMsMax, undefined, { ref: false });
  const declared = await Promise.race([earlier.declared.promise, earlier.limit]);
  if (declared === null || declared === bytes) await Promise.race([earlier.ended.promise, earlier.limit]);
}
