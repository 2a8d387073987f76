import { expect } from 'vitest';
import type { ServerProcess } from './process.ts';

/**
 * Expects that the service gave this 5xx answer because of a time limit, as its log tells. A busy machine may need longer for
 * a statement than the service waits, and no other 5xx is right.
 */
export function expectTimeout(server: ServerProcess, text: string): void {
  const { request_id } = JSON.parse(text).error;
  const logged = server
    .stderr()
    .split('\n')
    .filter((line) => line.includes(request_id));
  expect(logged.join('\n'), text).toMatch(/timeout|time limit/);
}
