import { ApiError, Refusal } from '../errors.ts';

/** What a client of the API would be told that it asked wrongly, or may not have, is a `Refusal` here. */
export function refusingAnswers<Result>(work: () => Promise<Result>): Promise<Result> {
  return refusing(work, ({ message }) => message);
}

/** The same of a body that was read from a file: the line names the part of it that is at fault. */
export function refusingBody<Result>(work: () => Promise<Result>): Promise<Result> {
  return refusing(work, ({ param, message }) => (param === null ? message : `${param}: ${message}`));
}

async function refusing<Result>(work: () => Promise<Result>, line: (error: ApiError) => string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) throw new Refusal(line(error));
    throw error;
  }
}
