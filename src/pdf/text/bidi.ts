import bidiFactory, { type Bidi } from 'bidi-js';

let instance: Bidi | undefined;

/** Returns the Unicode bidirectional algorithm. It is created on first use, because few documents need it. */
export function bidi(): Bidi {
  // The package is CommonJS. Its types declare a default export, but the module itself is the function.
  instance ??= (bidiFactory as unknown as () => Bidi)();
  return instance;
}
