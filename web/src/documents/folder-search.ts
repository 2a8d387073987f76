/** Routes import this, so it must not import what only pages need. */

/** Whether an address may name this folder: an id, or `none` for documents in no folder. */
export function isFolder(text: string): boolean {
  return text === 'none' || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

/** Reads the folder of an address, and ignores what is malformed. */
export function readFolderSearch({ folder }: Record<string, unknown>): { folder?: string } {
  return typeof folder === 'string' && isFolder(folder) ? { folder } : {};
}
