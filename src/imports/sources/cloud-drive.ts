import { ApiError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { type PublicFetch, readAtMost } from '../../public-fetch/public-fetch.ts';
import { exportBytesMax, type FailureReason, fileBytesMax } from '../import.ts';
import { inParallel } from '../in-parallel.ts';
import { declaredLength } from './declared-length.ts';
import { type DriveAnswer, judgeDriveAnswer } from './drive-answer.ts';
import { type DriveFile, parseDriveFile } from './drive-file.ts';
import { patientGet } from './patient-get.ts';
import type { FetchableContent, OpenedContent, SourceFile } from './source-file.ts';

export interface DriveDeps {
  clock: Clock;
  publicFetch: PublicFetch;
  /** Root of the Drive v3 API. */
  apiUrl: string;
  describeMs?: number;
}

/** A drive opened with a caller's token. Only this closure holds the token. */
export interface OpenDrive {
  /**
   * Reads the metadata of every file and returns it in the given order. Throws `drive_token_rejected` if the drive
   * refuses the token, and `drive_unavailable` if it answers for none of the files.
   */
  describe(ids: readonly string[], signal: AbortSignal): Promise<SourceFile[]>;
}

const describedAtOnce = 6;
/** The limit for all files together, because the client waits for this before anything has started. */
const describeMsDefault = 30_000;
const descriptionBytesMax = 262_144;
const openMs = 40_000;
const bodyMs = 15 * 60_000;

const fields =
  'id,name,mimeType,size,md5Checksum,sha256Checksum,headRevisionId,modifiedTime,version,trashed,capabilities(canDownload),shortcutDetails';

export function openDrive(deps: DriveDeps, accessToken: string): OpenDrive {
  const { clock, publicFetch, apiUrl, describeMs = describeMsDefault } = deps;
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'user-agent': 'Countersign',
    'accept-encoding': 'identity',
  };

  const get = (path: string, query: Record<string, string>, headersMs: number, signal: AbortSignal) =>
    patientGet<DriveAnswer>(
      publicFetch,
      { url: `${apiUrl}${path}?${new URLSearchParams({ ...query, supportsAllDrives: 'true' })}`, headers },
      { headersMs, bodyMs, signal },
      (response) => judgeDriveAnswer(response, clock.now()),
    ).catch((error) => {
      if (signal.aborted) throw error;
      return null; // the drive can't be reached, whatever the cause
    });

  async function describeOne(id: string, endsAt: number, signal: AbortSignal): Promise<SourceFile> {
    const msLeft = () => Math.max(0, endsAt - performance.now());
    if (msLeft() === 0) return failing(id, 'source_unavailable');
    const answer = await get(`/files/${id}`, { fields }, msLeft(), signal);
    if (answer === null) return failing(id, 'source_unavailable');
    if (answer.kind === 'token_rejected') throw new ApiError('drive_token_rejected', { param: 'access_token' });
    if (answer.kind === 'refused') return failing(id, answer.reason);
    const { bytes, isComplete } = await readAtMost(answer.response.body, descriptionBytesMax, msLeft());
    const file = isComplete ? parseDriveFile(bytes.toString('utf8')) : null;
    return file === null ? failing(id, 'source_unavailable') : sourceFileOf(id, file);
  }

  function sourceFileOf(id: string, file: DriveFile): SourceFile {
    const revision = file.revision === null ? null : { driveFileId: id, revision: file.revision };
    const described = { name: file.name, driveFileId: id, revision, linkHash: null };
    const reason = file.refusal;
    if (reason !== null) return { ...described, declaredBytes: null, content: { kind: 'fails', reason } };
    const isExported = file.isNative;
    return {
      ...described,
      declaredBytes: isExported ? exportBytesMax : file.bytes,
      content: {
        kind: 'fetch',
        bytesMax: isExported ? exportBytesMax : fileBytesMax,
        tooLarge: isExported ? 'export_too_large' : 'too_large',
        open: opener(id, isExported),
      },
    };
  }

  function opener(id: string, isExported: boolean): FetchableContent['open'] {
    return async (signal): Promise<OpenedContent> => {
      const answer = isExported
        ? await get(`/files/${id}/export`, { mimeType: 'application/pdf' }, openMs, signal)
        : await get(`/files/${id}`, { alt: 'media' }, openMs, signal);
      if (answer === null) return { kind: 'failed', reason: 'source_unavailable' };
      // The token was valid when the import started. It has expired since, or was revoked.
      if (answer.kind === 'token_rejected') return { kind: 'failed', reason: 'permission_denied' };
      if (answer.kind === 'refused') return { kind: 'failed', reason: answer.reason };
      const { body } = answer.response;
      const declaredBytes = declaredLength(answer.response);
      return { kind: 'opened', name: null, declaredBytes, htmlReason: 'unsupported_type', body };
    };
  }

  return {
    async describe(ids, signal) {
      const endsAt = performance.now() + describeMs;
      const described = await inParallel(ids, describedAtOnce, (id) => describeOne(id, endsAt, signal));
      if (described.every(({ content }) => content.kind === 'fails' && content.reason === 'source_unavailable')) {
        throw new ApiError('drive_unavailable');
      }
      return described;
    },
  };
}

function failing(driveFileId: string, reason: FailureReason): SourceFile {
  return {
    name: null,
    declaredBytes: null,
    driveFileId,
    revision: null,
    linkHash: null,
    content: { kind: 'fails', reason },
  };
}
