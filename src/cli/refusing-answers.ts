import { ApiError, Refusal } from '../errors.ts';

/** What a client of the API would be told that it asked wrongly, or may not have, is a `Refusal` here. */
export async function refusingAnswers<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) throw new Refusal(error.message);
    throw error;
  }
}
