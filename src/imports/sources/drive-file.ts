import type { FailureReason } from '../import.ts';
import { fileBytesMax } from '../import.ts';

/** The drive's metadata of a file, as far as imports need it. */
export interface DriveFile {
  name: string | null;
  /** Whether it has one of the drive's own formats, which must be exported. */
  isNative: boolean;
  bytes: number | null;
  /** Changes with the contents, perhaps more often; then the bytes decide. Null if the drive gives none. */
  revision: string | null;
  /** Why the import will fail, if the metadata already shows it. */
  refusal: FailureReason | null;
}

const nativePrefix = 'application/vnd.google-apps.';
/** Far longer than a drive's revisions. A longer text doesn't fit into an index. */
const revisionLengthMax = 1000;
const exportable = new Set(['document', 'spreadsheet', 'presentation'].map((kind) => nativePrefix + kind));

/** Reads the metadata. Null if it doesn't match the drive's documentation. */
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

/** Refuses folders, shortcuts and other things without contents. For all other files the bytes decide the type. */
function refusalOf(file: Record<string, unknown>, isNative: boolean, bytes: number | null): FailureReason | null {
  if (file.trashed === true) return 'not_found';
  if (isNative && !exportable.has(String(file.mimeType))) return 'unsupported_type';
  if ((file.capabilities as { canDownload?: unknown } | undefined)?.canDownload === false) return 'permission_denied';
  return !isNative && bytes !== null && bytes > fileBytesMax ? 'too_large' : null;
}

/** A file has revisions of its contents. A native document has only a version, and its exports never have equal bytes. */
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
