import { type TSchema, Type } from 'typebox';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { exactPattern } from '../../http/exact-pattern.ts';
import { errorCodeKeyword } from '../../http/validate-body.ts';
import { fileNameLengthMax, filesPerImportMax } from '../import.ts';

/** The description of a property, and the error code of an invalid value. */
export const coded = (code: ErrorCode, description: string) => ({ [errorCodeKeyword]: code, description });

/** A request body with its properties. */
export const bodySchema = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { [errorCodeKeyword]: 'invalid_body' });

/** The `files` of a request. */
export const filesSchema = (item: TSchema) =>
  Type.Array(item, {
    minItems: 1,
    maxItems: filesPerImportMax,
    ...coded('invalid_files', `cloud_drive and cloud_files, required there: 1 to ${filesPerImportMax} files.`),
  });

/** One of the `files`. */
export const fileSchema = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { [errorCodeKeyword]: 'invalid_files' });

export const unlockDocSchema = Type.Optional(
  Type.Boolean(
    coded(
      'invalid_unlock_doc',
      'Whether each file is also unlocked as an editable document, at 1 credit a page. Default: true.',
    ),
  ),
);

/** Text that PostgreSQL can store: no U+0000 and no lone surrogate. */
const storable = '^[^\\u0000\\ud800-\\udfff]*$';

export const fileNameSchema = Type.Optional(
  Type.String({
    maxLength: fileNameLengthMax,
    ...exactPattern(storable, null),
    ...coded(
      'invalid_files',
      "cloud_files: the file's name, which becomes the document's title. No U+0000 and no lone surrogate.",
    ),
  }),
);

/** Makes `invalid_files` name the list as its `param`, whichever file is at fault. */
export function namingFiles<Read>(read: () => Read): Read {
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
