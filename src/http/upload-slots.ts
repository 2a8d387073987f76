/** Thrown when all upload slots are in use, or all slots of one client. */
export class NoSlotError extends Error {}

/** Maximum numbers of concurrent uploads, which protect the disk and the scan queue. */
export interface UploadBounds {
  all: number;
  perClient: number;
}

/** Runs `work` in an upload slot of a client (an address or a company). Throws a `NoSlotError` if none is free. */
export function createUploadSlots(
  bounds: UploadBounds,
): <Result>(client: string, work: () => Promise<Result>) => Promise<Result> {
  const taken = new Map<string, number>();
  let all = 0;

  return async (client, work) => {
    const own = taken.get(client) ?? 0;
    if (all >= bounds.all || own >= bounds.perClient) throw new NoSlotError();
    all += 1;
    taken.set(client, own + 1);
    try {
      return await work();
    } finally {
      all -= 1;
      const left = (taken.get(client) ?? 1) - 1;
      if (left === 0) taken.delete(client);
      else taken.set(client, left);
    }
  };
}
