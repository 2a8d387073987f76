import { type PublicResponse, readAtMost } from '../../public-fetch/public-fetch.ts';
import type { FailureReason } from '../import.ts';
import { type Attempted, retryAfterMs } from './patient-get.ts';

/** The meaning of the drive's answer (Google Drive v3, "Resolve errors"). */
export type DriveAnswer =
  | { kind: 'ok'; response: PublicResponse }
  | { kind: 'token_rejected' }
  | { kind: 'refused'; reason: FailureReason };

type Meaning = 'token_rejected' | 'later' | FailureReason;

/* biome-ignore format: a table reads as a table */
const reasons: Record<string, Meaning> = {
  authError:                    'token_rejected',
  // The token lacks a read scope, or its application may not use the drive.
  insufficientPermissions:      'token_rejected',
  insufficientScopes:           'token_rejected',
  accessNotConfigured:          'token_rejected',
  rateLimitExceeded:            'later',
  userRateLimitExceeded:        'later',
  sharingRateLimitExceeded:     'later',
  dailyLimitExceeded:           'source_unavailable',
  backendError:                 'later',
  notFound:                     'not_found',
  exportSizeLimitExceeded:      'export_too_large',
  fileNotExportable:            'unsupported_type',
  fileNotDownloadable:          'permission_denied',
  insufficientFilePermissions:  'permission_denied',
  appNotAuthorizedToFile:       'permission_denied',
  cannotDownloadAbusiveFile:    'permission_denied',
  cannotDownloadFile:           'permission_denied',
  downloadQuotaExceeded:        'source_unavailable',
};

const statuses: Record<number, Meaning> = {
  401: 'token_rejected',
  403: 'permission_denied',
  404: 'not_found',
  410: 'not_found',
  408: 'later',
  429: 'later',
};

const errorBytesMax = 65_536;
const errorMs = 5000;

/** Reads the drive's answer. `later` means that the request should be retried. */
export async function judgeDriveAnswer(response: PublicResponse, now: Date): Promise<Attempted<DriveAnswer>> {
  const { status } = response;
  // A partial answer (206) to a request for the whole file is a failure.
  if (status >= 200 && status < 300 && status !== 206) return { kind: 'done', answer: { kind: 'ok', response } };
  const { bytes } = await readAtMost(response.body, errorBytesMax, errorMs);
  const meaning = meaningOf(status, reasonIn(bytes.toString('utf8')));
  if (meaning === 'later') return { kind: 'later', retryAfterMs: retryAfterMs(response, now) };
  if (meaning === 'token_rejected') return { kind: 'done', answer: { kind: 'token_rejected' } };
  return { kind: 'done', answer: { kind: 'refused', reason: meaning } };
}

/** The status alone identifies a refused token and a failing server. Otherwise the drive's own reason is more exact. */
function meaningOf(status: number, reason: string | null): Meaning {
  if (status === 401) return 'token_rejected';
  if (status >= 500) return 'later';
  return reasons[reason ?? ''] ?? statuses[status] ?? 'download_failed';
}

/** `{"error":{"errors":[{"domain","reason","message"}],"code","message"}}` */
function reasonIn(body: string): string | null {
  try {
    const reason = JSON.parse(body)?.error?.errors?.[0]?.reason;
    return typeof reason === 'string' ? reason : null;
  } catch {
    return null;
  }
}
