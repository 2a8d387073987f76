import bidiFactory, { type Bidi } from 'bidi-js';

let instance: Bidi | undefined;

/** The Unicode bidirectional algorithm. Built on first use: most documents never need it. */
export function bidi(): Bidi {
  // A CommonJS package: its function is the module itself, although its types speak of a default export within.
  instance ??= (bidiFactory as unknown as () => Bidi)();
  return instance;
}
