import { writeFileSync } from 'node:fs';
import { openApiTypes, openApiTypesFile } from './openapi-types.ts';

writeFileSync(openApiTypesFile, await openApiTypes());
