/** All places for uploads are taken, or those that one holder may take. */
export class NoSlotError extends Error {}

/** How many are under way at once, so that they fill neither the disk nor the queue of those who look at them. */
export interface UploadBounds {
  all: number;
  perHolder: number;
}

/** Runs `work` while its holder (an address, a company) has a place. Throws a `NoSlotError` when there is none. */
export function createUploadSlots(
  bounds: UploadBounds,
): <Result>(holder: string, work: () => Promise<Result>) => Promise<Result> {
  const taken = new Map<string, number>();
  let all = 0;

  return async (holder, work) => {
    const own = taken.get(holder) ?? 0;
    if (all >= bounds.all || own >= bounds.perHolder) throw new NoSlotError();
    all += 1;
    taken.set(holder, own + 1);
    try {
      return await work();
    } finally {
      all -= 1;
      const left = (taken.get(holder) ?? 1) - 1;
      if (left === 0) taken.delete(holder);
      else taken.set(holder, left);
    }
  };
}
