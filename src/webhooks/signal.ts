/** Lets a loop sleep until there may be work. Several raises before a wait wake it once. */
export interface Signal {
  raise(): void;
  /** Returns when it is raised, or at once when it was raised since the last wait. Waits `ms` at most. */
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
