import { ApiError, Refusal } from '../../errors.ts';

/** Turns errors that the API answers with 4xx into a `Refusal`. */
export function refusingAnswers<Result>(work: () => Promise<Result>): Promise<Result> {
  return refusing(work, ({ message }) => message);
}

/** The same for a body read from a file. The message names the wrong property. */
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
