import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { createDocumentBody } from '../documents/create-document-body.ts';
import { portablePatternKeyword } from '../http/exact-pattern.ts';
import { asJsonSchema, type JsonSchema } from '../http/json-schema.ts';
import { errorCodeKeyword } from '../http/validate-body.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { documentEndpoints } from './document-endpoints.ts';
import { type DownloadDeps, downloadEndpoint } from './download-endpoint.ts';
import { importEndpoints } from './import-endpoints.ts';
import { openApiDocument } from './openapi.ts';

// Only the table is read here; nothing is ever enqueued.
const source = JSON.stringify(
  openApiDocument(
    [
      ...accountEndpoints,
      ...documentEndpoints({ enqueue: async () => {} }),
      downloadEndpoint({} as DownloadDeps),
      ...importEndpoints({} as ImportDeps),
    ],
    { serverUrl: 'https://sign.countersign.test/api/v1', docsUrl: 'https://sign.countersign.test/docs' },
  ),
);

test('Redocly finds nothing to complain of', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // An error is the general schema and its own codes, joined by `allOf`: each part sees the other's properties.
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    },
  });
  const found = await lintFromString({ source, config });
  expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('Spectral finds nothing to complain of', async () => {
  const spectral = new Spectral();
  spectral.setRuleset({
    extends: [[oas as RulesetDefinition, 'all']],
    rules: {
      // OpenAPI 3.1 lists roles for every kind of security; the rule knows those of OAuth alone.
      'oas3-operation-security-defined': 'off',
      // A licence has an SPDX identifier or a URL, not both.
      'license-url': 'off',
      // The operator's e-mail address is not a setting.
      'contact-properties': 'off',
    },
  });
  const found = await spectral.run(source);
  expect(found.map(({ code, message, path }) => `${code}: ${message} at ${path.join('.')}`)).toEqual([]);
});

test('patterns are ones that Go and Python read, too', () => {
  const patterns: string[] = [];
  JSON.parse(source, (name, value) => {
    if (name === 'pattern') patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(5);
  // Look-around, properties of Unicode, references to groups and halves of surrogate pairs.
  expect(patterns.filter((pattern) => /\(\?[=!<]|\\[pP]\{|\\[1-9k]|\\u[dD][89a-fA-F]/.test(pattern))).toEqual([]);
  expect(source).not.toContain(portablePatternKeyword);
});

test('a portable pattern takes everything that the exact one takes', () => {
  const properties = asJsonSchema(createDocumentBody).properties as Record<string, JsonSchema>;
  const recipient = properties.recipients?.items?.properties as Record<string, JsonSchema>;
  const samples: [JsonSchema | undefined, string[]][] = [
    [properties.title, ['Roof', ' a ', '\u200b', '\ufeff', '漢字', '🖋', 'a\nb', '\u0007']],
    [recipient.name, ['Ada', ' Ada', 'O’Neil', '\u200b', '李']],
    [
      recipient.email,
      ['a@b.co', 'ü@bücher.example', "o'neil+x@sub.example.com", '李@例え.jp', 'a!#$%&@xn--bcher-kva.de'],
    ],
  ];
  const ajv = new Ajv({ keywords: [errorCodeKeyword, portablePatternKeyword] });
  for (const [schema, values] of samples) {
    const portable = new RegExp((schema as Record<string, unknown>)[portablePatternKeyword] as string, 'u');
    const isAccepted = ajv.compile(schema as JsonSchema);
    for (const value of values) expect([value, isAccepted(value), portable.test(value)]).toEqual([value, true, true]);
  }
});
