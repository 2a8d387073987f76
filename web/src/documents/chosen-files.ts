/** Files that were chosen on the form for a new document. The page of the document adds them, and shows which are refused. */
const chosen = new Map<string, readonly File[]>();

export function keepFiles(documentId: string, files: readonly File[]): void {
  chosen.set(documentId, files);
}

/** Returns the files that were chosen for a document, once. */
export function takeFiles(documentId: string): readonly File[] | null {
  const files = chosen.get(documentId) ?? null;
  chosen.delete(documentId);
  return files;
}
