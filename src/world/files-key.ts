const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const keyLengthMax = 400;

/**
 * Keys are ours, never a stranger's words: plain segments joined by slashes, so that none leaves the store's directory
 * and all mean the same in a path and in a URL. Throws a `TypeError`: a bad key is a mistake in the code.
 */
export function assertFileKey(key: string): void {
  if (key.length > keyLengthMax || !key.split('/').every((part) => segment.test(part))) {
    throw new TypeError(`not a file key: ${JSON.stringify(key.slice(0, 80))}`);
  }
}
