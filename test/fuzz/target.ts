import type { Corpus } from './mutate.ts';

/** A parser of bytes that strangers send. */
export interface Target extends Corpus {
  name: string;
  /** Returns when the input was read or refused as documented. Throws otherwise. */
  run(input: Buffer): unknown;
  /** Time limit per input, far above what a sound parser needs on a busy machine. */
  msMax: number;
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Runs `parse` and lets it throw errors of these classes only. */
export async function refusingBy(classes: readonly ErrorClass[], parse: () => unknown): Promise<void> {
  try {
    await parse();
  } catch (error) {
    if (!classes.some((one) => error instanceof one)) throw error;
  }
}

/** Throws unless the condition holds. */
export function assertSo(condition: boolean, what: string): void {
  if (!condition) throw new Error(`property broken: ${what}`);
}

/** Runs a target on one input. Throws for an error that is not documented, and for an input that takes too long. */
export async function tryInput(target: Target, input: Buffer): Promise<void> {
  const tooLong = new Error(`took more than ${target.msMax} ms`);
  const start = performance.now();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLong), target.msMax);
  try {
    await Promise.race([target.run(input), late]);
  } finally {
    clearTimeout(timer);
  }
  // A parser that blocks the event loop also blocks the timer.
  if (performance.now() - start > target.msMax) throw tooLong;
}
