/** All places for uploads are taken, or those that one address may take. */
export class NoSlotError extends Error {}

/** Under way at once, so that strangers' files fill neither the disk nor the queue. */
const uploadsMax = 8;
const uploadsPerAddressMax = 3;

/** Runs `work` while it holds a place. Throws a `NoSlotError` when there is none. */
export function createUploadSlots(): <Result>(address: string, work: () => Promise<Result>) => Promise<Result> {
  const taken = new Map<string, number>();
  let all = 0;

  return async (address, work) => {
    const own = taken.get(address) ?? 0;
    if (all >= uploadsMax || own >= uploadsPerAddressMax) throw new NoSlotError();
    all += 1;
    taken.set(address, own + 1);
    try {
      return await work();
    } finally {
      all -= 1;
      const left = (taken.get(address) ?? 1) - 1;
      if (left === 0) taken.delete(address);
      else taken.set(address, left);
    }
  };
}
