import { driveSource } from './drive-source.ts';
import type { FileSource, FileSourceName } from './file-source.ts';
import { storeSource } from './store-source.ts';

/** The sources of files. A new one is a row here and a file next to this one. */
export const fileSources: Record<FileSourceName, FileSource> = {
  cloud_drive: driveSource,
  cloud_files: storeSource,
};

/** Returns the source of an import, or null for one that isn't downloaded by us: uploads and vendor imports. */
export function fileSourceOf(name: string): FileSource | null {
  return Object.hasOwn(fileSources, name) ? fileSources[name as FileSourceName] : null;
}
