import { writeFileSync } from 'node:fs';
import { operationsFile, renderOperations } from '../mcp/operations.ts';
import { openApiTypes, openApiTypesFile } from './openapi-types.ts';

writeFileSync(openApiTypesFile, await openApiTypes());
writeFileSync(operationsFile, renderOperations());
