import { type TSchema, Type } from 'typebox';
import { ApiError } from '../errors.ts';
import { bodyValidator } from '../http/validate-body.ts';
import { parseInstant } from '../platform/parse-instant.ts';
import { startableSources } from './import.ts';
import type { FileRequest } from './sources/file-source.ts';
import { bodySchema, coded, fileSchema, filesSchema, unlockDocSchema } from './sources/request-parts.ts';
import { fileSources } from './sources/sources.ts';
import type { LinkRules } from './sources/store-link.ts';

/** The checked body of POST /imports. */
export type ImportRequest = VendorImportRequest | FileRequest;

export interface VendorImportRequest {
  source: 'esign_vendor';
  earliest: string | null;
  unlockDoc: boolean;
}

const source = Type.Unsafe<(typeof startableSources)[number]>({
  type: 'string',
  enum: startableSources,
  ...coded('invalid_source', 'Where the documents come from.'),
});
const earliest = Type.Optional(
  Type.String(
    coded(
      'invalid_earliest',
      'esign_vendor only: a time as in RFC 3339 or ISO 8601, such as 2024-01-01T00:00:00Z, 20240101T000000Z or 2024-01-01. A date alone is midnight UTC, and a time without a zone is UTC. Envelopes completed on or after it are imported. Default: all of them.',
    ),
  ),
);
const optional = (properties: Record<string, TSchema>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]));
const propertiesOf = (kind: 'properties' | 'fileProperties') =>
  optional(Object.assign({}, ...Object.values(fileSources).map((source) => source[kind])));

/** All properties, for the API reference. Which of them a request must have depends on its source. */
export const startImportBody = bodySchema({
  source,
  earliest,
  files: Type.Optional(filesSchema(fileSchema(propertiesOf('fileProperties')))),
  ...propertiesOf('properties'),
  unlock_doc: unlockDocSchema,
});

const readSource = bodyValidator(bodySchema({ source }));
const readEarliest = bodyValidator(bodySchema({ earliest }));
const readVendorBody = bodyValidator(bodySchema({ unlock_doc: unlockDocSchema }));

/** Checks the body. Throws the error code of the first invalid property. Ignores properties of other sources. */
export function readStartImport(given: unknown, links: LinkRules): ImportRequest {
  const { source } = readSource(given);
  return source === 'esign_vendor' ? readVendorImport(given) : fileSources[source].read(given, links);
}

/** Throws `invalid_earliest` and `invalid_unlock_doc`. */
export function readVendorImport(given: unknown): VendorImportRequest {
  const { earliest: wanted } = readEarliest(given);
  const earliest = wanted === undefined ? null : readInstant(wanted);
  const { unlock_doc: unlockDoc = true } = readVendorBody(given);
  return { source: 'esign_vendor', earliest, unlockDoc };
}

/** Throws `invalid_earliest`. */
function readInstant(text: string): string {
  const time = parseInstant(text);
  if (time === null) throw new ApiError('invalid_earliest', { param: 'earliest' });
  return time.toISOString();
}
