import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApiTypes, openApiTypesFile } from './openapi-types.ts';

test('the types of the client are those of the OpenAPI description (npm run client:types)', async () => {
  expect(readFileSync(openApiTypesFile, 'utf8')).toBe(await openApiTypes());
});
