const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const keyLengthMax = 400;

/**
 * Checks a file key: plain segments joined by slashes, which cannot leave the store's directory and mean the same in
 * paths and URLs. Keys come from our code, so a bad one throws a `TypeError`.
 */
export function assertFileKey(key: string): void {
  if (key.length > keyLengthMax || !key.split('/').every((part) => segment.test(part))) {
    throw new TypeError(`not a file key: ${JSON.stringify(key.slice(0, 80))}`);
  }
}
