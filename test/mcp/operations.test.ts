import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationsFile, renderOperations } from './operations.ts';

test('the schemas of the tools are those of the OpenAPI description (npm run client:types)', () => {
  expect(readFileSync(operationsFile, 'utf8')).toBe(renderOperations());
});
