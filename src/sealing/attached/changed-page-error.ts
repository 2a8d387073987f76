/** A page of an attached file looks different in its sealed PDF than it did to the recipients. */
export class ChangedPageError extends Error {
  readonly page: number;

  /** `page` counts from 1. */
  constructor(page: number) {
    super(`page ${page}`);
    this.name = 'ChangedPageError';
    this.page = page;
  }
}

/** Rebuilds the error from its name and message, which is all that another process sends. Returns null for other errors. */
export function readChangedPage({ name, message }: Pick<Error, 'name' | 'message'>): ChangedPageError | null {
  const page = name === 'ChangedPageError' ? /^page (\d+)$/.exec(message)?.[1] : undefined;
  return page === undefined ? null : new ChangedPageError(Number(page));
}
