import { Type } from 'typebox';
import { ApiError } from '../../errors.ts';
import { bodyValidator } from '../../http/validate-body.ts';
import { findKnownRevisions } from '../known-files.ts';
import { openDrive } from './cloud-drive.ts';
import { type FileRequest, type FileSource, reservationOf } from './file-source.ts';
import { bodySchema, coded, fileSchema, filesSchema, namingFiles, unlockDocSchema } from './request-parts.ts';

interface DriveRequest extends FileRequest {
  source: 'cloud_drive';
  files: ReadonlyArray<{ id: string }>;
  /** Used for this request only, never stored or logged. */
  accessToken: string;
}

/** One word that fits into a header. It allows a little more than the bearer tokens of RFC 6750. */
const tokenPattern = '^[\\x21-\\x7e]+$';
const tokenLengthMax = 8192;
const driveIdPattern = '^[A-Za-z0-9_-]+$';
const driveIdLengthMax = 200;
/** The limit of each database read, so that a client learns within 5 s that nothing was started. */
const readMsMax = 2250;

const id = Type.String({
  maxLength: driveIdLengthMax,
  pattern: driveIdPattern,
  ...coded('invalid_file_id', 'cloud_drive: the id of the file in the drive.'),
});
const accessToken = Type.String({
  maxLength: tokenLengthMax,
  pattern: tokenPattern,
  ...coded(
    'invalid_access_token',
    'cloud_drive only, required there: an OAuth access token with a read scope. Used for this request, never stored or logged. A refreshed token is the same request for idempotency.',
  ),
});

const readBody = bodyValidator(
  bodySchema({ files: filesSchema(fileSchema({ id })), access_token: accessToken, unlock_doc: unlockDocSchema }),
);

/** Files in a cloud drive, named by their ids. The token lives in the request alone, so nothing else can continue one. */
export const driveSource: FileSource<DriveRequest> = {
  fileProperties: { id },
  properties: { access_token: accessToken },
  declaresSizes: true,
  read(body) {
    const { files, access_token, unlock_doc = true } = namingFiles(() => readBody(body));
    return {
      source: 'cloud_drive',
      files: files as DriveRequest['files'],
      accessToken: access_token,
      unlockDoc: unlock_doc,
    };
  },
  async plan(deps, accountId, request) {
    const drive = openDrive({ ...deps, clock: deps.world.clock }, request.accessToken);
    const ids = request.files.map((file) => file.id);
    const ending = AbortSignal.any([deps.answering, deps.stopping]);
    const files = await drive.describe(ids, ending).catch((error) => {
      throw ending.aborted && !(error instanceof ApiError)
        ? new ApiError('import_not_started', { cause: error })
        : error;
    });
    const revisions = files.flatMap(({ revision }) => (revision === null ? [] : [revision]));
    const known = await findKnownRevisions(deps.database.within(readMsMax), accountId, revisions);
    return files.map((file) => {
      const isKnown = file.revision !== null && known.has(JSON.stringify(file.revision));
      return { file, encryptLink: null, reservedBytes: isKnown ? 0 : reservationOf(file, file.declaredBytes) };
    });
  },
  reopen(deps, request, open, signal) {
    const ids = open.map(({ drive_file_id }) => drive_file_id as string);
    return openDrive({ ...deps, clock: deps.world.clock }, request.accessToken).describe(ids, signal);
  },
  encryptLink: () => null,
  sizes: null,
  resume: null,
};
