import { type Static, type TSchema, Type } from 'typebox';
import { ApiError, type ErrorCode } from '../errors.ts';
import { exactPattern } from '../http/exact-pattern.ts';
import { bodyValidator, errorCodeKeyword } from '../http/validate-body.ts';
import { parseInstant } from '../platform/parse-instant.ts';
import { fileNameLengthMax, filesPerImportMax, startableSources } from './import.ts';
import type { LinkRules } from './sources/store-link.ts';

/** The checked body of POST /imports. */
export type ImportRequest = VendorImportRequest | CloudDriveRequest | CloudFilesRequest;

export interface VendorImportRequest {
  source: 'esign_vendor';
  earliest: string | null;
  unlockDoc: boolean;
}

export interface CloudDriveRequest {
  source: 'cloud_drive';
  /** Used for this request only, never stored or logged. */
  accessToken: string;
  files: Array<{ id: string }>;
  unlockDoc: boolean;
}

export interface CloudFilesRequest {
  source: 'cloud_files';
  /** `url` is the address to download from. */
  files: Array<{ url: string; name: string | null }>;
  unlockDoc: boolean;
}

const coded = (code: ErrorCode, description: string) => ({ [errorCodeKeyword]: code, description });

/** Text that PostgreSQL can store: no U+0000 and no lone surrogate. */
const storable = '^[^\\u0000\\ud800-\\udfff]*$';
/** One word that fits into a header. It allows a little more than the bearer tokens of RFC 6750. */
const tokenPattern = '^[\\x21-\\x7e]+$';
const tokenLengthMax = 8192;
const driveIdPattern = '^[A-Za-z0-9_-]+$';
const driveIdLengthMax = 200;
const linkLengthMax = 2048;

const source = Type.Unsafe<(typeof startableSources)[number]>({
  type: 'string',
  enum: startableSources,
  ...coded('invalid_source', 'Where the documents come from.'),
});
const unlockDoc = Type.Optional(
  Type.Boolean(
    coded(
      'invalid_unlock_doc',
      'Whether each file is also unlocked as an editable document, at 1 credit a page. Default: true.',
    ),
  ),
);
const earliest = Type.Optional(
  Type.String(
    coded(
      'invalid_earliest',
      'esign_vendor only: a time as in RFC 3339 or ISO 8601, such as 2024-01-01T00:00:00Z, 20240101T000000Z or 2024-01-01. A date alone is midnight UTC, and a time without a zone is UTC. Envelopes completed on or after it are imported. Default: all of them.',
    ),
  ),
);
const accessToken = Type.String({
  maxLength: tokenLengthMax,
  pattern: tokenPattern,
  ...coded(
    'invalid_access_token',
    'cloud_drive only, required there: an OAuth access token with a read scope. Used for this request, never stored or logged. A refreshed token is the same request for idempotency.',
  ),
});
const driveId = Type.String({
  maxLength: driveIdLengthMax,
  pattern: driveIdPattern,
  ...coded('invalid_file_id', 'cloud_drive: the id of the file in the drive.'),
});
const url = Type.String({
  maxLength: linkLengthMax,
  ...coded('invalid_file_url', 'cloud_files: a shared, chooser or temporary link to exactly one file.'),
});
const name = Type.Optional(
  Type.String({
    maxLength: fileNameLengthMax,
    ...exactPattern(storable, null),
    ...coded(
      'invalid_files',
      "cloud_files: the file's name, which becomes the document's title. No U+0000 and no lone surrogate.",
    ),
  }),
);

const files = (item: TSchema) =>
  Type.Array(item, {
    minItems: 1,
    maxItems: filesPerImportMax,
    ...coded('invalid_files', `cloud_drive and cloud_files, required there: 1 to ${filesPerImportMax} files.`),
  });
const file = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { [errorCodeKeyword]: 'invalid_files' });
const body = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { [errorCodeKeyword]: 'invalid_body' });

/** All properties, for the API reference. Which of them a request must have depends on its source. */
export const startImportBody = body({
  source,
  earliest,
  files: Type.Optional(files(file({ id: Type.Optional(driveId), url: Type.Optional(url), name }))),
  access_token: Type.Optional(accessToken),
  unlock_doc: unlockDoc,
});

const driveFile = file({ id: driveId });
const storeFile = file({ url, name });
const driveBody = body({ files: files(driveFile), access_token: accessToken, unlock_doc: unlockDoc });
const storeBody = body({ files: files(storeFile), unlock_doc: unlockDoc });

const readSource = bodyValidator(body({ source }));
const readEarliest = bodyValidator(body({ earliest }));
const readVendorBody = bodyValidator(body({ unlock_doc: unlockDoc }));
const readDriveBody = bodyValidator(driveBody);
const readStoreBody = bodyValidator(storeBody);

/** Checks the body. Throws the error code of the first invalid property. Ignores properties of other sources. */
export function readStartImport(given: unknown, links: LinkRules): ImportRequest {
  const { source } = readSource(given);
  if (source === 'esign_vendor') return readVendorImport(given);
  if (source === 'cloud_drive') {
    const { files, access_token, unlock_doc = true } = namingFiles(() => readDriveBody(given));
    const wanted = files as Array<Static<typeof driveFile>>;
    return { source, files: wanted, accessToken: access_token, unlockDoc: unlock_doc };
  }
  const { files, unlock_doc = true } = namingFiles(() => readStoreBody(given));
  const wanted = (files as Array<Static<typeof storeFile>>).map(({ url, name = null }, index) => {
    const checked = links.check(url);
    if ('refused' in checked) {
      throw new ApiError('invalid_file_url', {
        param: `files[${index}].url`,
        message: `url must be a link to exactly one file in the file store: ${checked.refused}.`,
      });
    }
    return { url: checked.url, name };
  });
  return { source, files: wanted, unlockDoc: unlock_doc };
}

/** Throws `invalid_earliest` and `invalid_unlock_doc`. */
export function readVendorImport(given: unknown): VendorImportRequest {
  const { earliest: wanted } = readEarliest(given);
  const earliest = wanted === undefined ? null : readInstant(wanted);
  const { unlock_doc: unlockDoc = true } = readVendorBody(given);
  return { source: 'esign_vendor', earliest, unlockDoc };
}

/** Makes `invalid_files` name the list as its `param`, whichever file is at fault. */
function namingFiles<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_files' || error.param === 'files') throw error;
    const message = error.param?.endsWith('.name')
      ? `${error.param} must be text of at most ${fileNameLengthMax} characters.`
      : `${error.param} must be an object.`;
    throw new ApiError('invalid_files', { param: 'files', message });
  }
}

/** Throws `invalid_earliest`. */
function readInstant(text: string): string {
  const time = parseInstant(text);
  if (time === null) throw new ApiError('invalid_earliest', { param: 'earliest' });
  return time.toISOString();
}
