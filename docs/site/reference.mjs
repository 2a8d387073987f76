// The API reference as static files. An installation renders the same page with its own address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { defaultPlans } from '../../src/accounts/plans.ts';
import { accountEndpoints } from '../../src/api/account-endpoints.ts';
import { documentEndpoints } from '../../src/api/document-endpoints.ts';
import { downloadEndpoint } from '../../src/api/download-endpoint.ts';
import { importEndpoints } from '../../src/api/import-endpoints.ts';
import { openApiDocument } from '../../src/api/openapi.ts';
import { referenceStylesheets } from '../../src/docs/docs-routes.ts';
import { renderReferencePage } from '../../src/docs/reference-page.ts';
import { readStylesheets } from '../../src/http/stylesheet.ts';

/** Returns the files by name. They describe a server at `origin`. */
export function referenceFiles(origin) {
  // The endpoints are only described, so they need no dependencies.
  const endpoints = [...accountEndpoints, ...documentEndpoints({}), downloadEndpoint({}), ...importEndpoints({})];
  const baseUrl = `${origin}/api/v1`;
  const page = renderReferencePage({
    endpoints,
    baseUrl: () => baseUrl,
    docsUrl: () => `${origin}/docs`,
    plans: defaultPlans,
  });
  const description = openApiDocument(endpoints, { serverUrl: baseUrl, docsUrl: `${origin}/docs` });
  return {
    'reference.html': page.replaceAll('="/docs/', '="').replaceAll('="/"', '="index.html"'),
    'style.css': readStylesheets(...referenceStylesheets),
    'icon.svg': readFileSync(join(import.meta.dirname, '../../src/docs/icon.svg'), 'utf8'),
    'openapi.json': `${JSON.stringify(description, null, 2)}\n`,
    'openapi.yaml': stringify(description, { aliasDuplicateObjects: false }),
  };
}
