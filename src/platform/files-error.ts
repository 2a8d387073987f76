/**
 * Thrown when a file store operation fails. The message names the operation, the file and the reason. A retry may
 * succeed.
 */
export class FileStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileStoreError';
  }
}

/** Runs an operation of a store and turns any error into a `FileStoreError` that names the operation and key. */
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

/** fetch only says "fetch failed". The reason is in the cause of its cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? error.cause : null;
  const code = (error as { code?: unknown }).code ?? (inner as { code?: unknown } | null)?.code;
  const text = inner === null ? error.message : `${error.message} (${inner.message})`;
  return typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text;
}
