/** A file store that could not do what it was asked: says what, of which file, and why. Trying again may help. */
export class FileStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileStoreError';
  }
}

/** Runs one operation of a store; whatever it throws comes out as a `FileStoreError` that names operation and key. */
export async function asFileStoreError<T>(operation: string, key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw fileStoreError(operation, key, error);
  }
}

export function fileStoreError(operation: string, key: string, cause: unknown): FileStoreError {
  return new FileStoreError(`could not ${operation} the file ${key}: ${describe(cause)}`, { cause });
}

/** fetch says only "fetch failed"; the reason is the cause of the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? error.cause : null;
  const code = (error as { code?: unknown }).code ?? (inner as { code?: unknown } | null)?.code;
  const text = inner === null ? error.message : `${error.message} (${inner.message})`;
  return typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text;
}
