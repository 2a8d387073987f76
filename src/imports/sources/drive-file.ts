import type { FailureReason } from '../import.ts';
import { fileBytesMax } from '../import.ts';

/** What the drive says of a file, as far as importing it goes. */
export interface DriveFile {
  name: string | null;
  /** One of the drive's own kinds, which has no bytes until it is exported. */
  isNative: boolean;
  bytes: number | null;
  /** Changes whenever its contents do, and perhaps more often: then the bytes decide. Null when nothing tells. */
  revision: string | null;
  /** Why it will not land, known without its bytes. */
  refusal: FailureReason | null;
}

const nativePrefix = 'application/vnd.google-apps.';
/** Far more than a drive's revisions have; what is longer does not fit into an index. */
const revisionLengthMax = 1000;
const exportable = new Set(['document', 'spreadsheet', 'presentation'].map((kind) => nativePrefix + kind));

/** Null for an answer that is not what the drive documents. */
export function parseDriveFile(json: string): DriveFile | null {
  const file = parseObject(json);
  if (file === null || typeof file.mimeType !== 'string') return null;
  const isNative = file.mimeType.startsWith(nativePrefix);
  const bytes = typeof file.size === 'string' && /^\d{1,15}$/.test(file.size) ? Number(file.size) : null;
  return {
    name: typeof file.name === 'string' ? file.name : null,
    isNative,
    bytes,
    revision: revisionOf(file, isNative),
    refusal: refusalOf(file, isNative, bytes),
  };
}

/** Folders, shortcuts and the like have no contents to decide by; of all else the bytes do. */
function refusalOf(file: Record<string, unknown>, isNative: boolean, bytes: number | null): FailureReason | null {
  if (file.trashed === true) return 'not_found';
  if (isNative && !exportable.has(String(file.mimeType))) return 'unsupported_type';
  if ((file.capabilities as { canDownload?: unknown } | undefined)?.canDownload === false) return 'permission_denied';
  return !isNative && bytes !== null && bytes > fileBytesMax ? 'too_large' : null;
}

/** A file has revisions of its contents; a native document only a version, and no two exports of it have equal bytes. */
function revisionOf(file: Record<string, unknown>, isNative: boolean): string | null {
  const parts = isNative
    ? [file.version ?? file.modifiedTime]
    : [file.headRevisionId ?? file.version ?? file.modifiedTime, file.sha256Checksum ?? file.md5Checksum];
  if (parts.every((part) => part === undefined)) return null;
  const revision = JSON.stringify(parts.map((part) => (part === undefined ? null : String(part))));
  return revision.length > revisionLengthMax ? null : revision;
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
