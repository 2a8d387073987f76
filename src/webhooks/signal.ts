/** Lets a loop sleep until there may be work: raised any number of times before it is waited for, it wakes once. */
export interface Signal {
  raise(): void;
  /** Returns when it is raised, at once when it was since the last wait, and after `ms` at the latest. */
  wait(ms: number): Promise<void>;
}

export function createSignal(): Signal {
  let raised = false;
  let wake: (() => void) | null = null;

  return {
    raise() {
      raised = true;
      wake?.();
    },
    async wait(ms) {
      if (!raised) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
        wake = null;
      }
      raised = false;
    },
  };
}
