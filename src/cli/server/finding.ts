import { explainFailure } from '../core/failure.ts';

export interface Finding {
  check: string;
  ok: boolean;
  /** The result, or what to do when it is not ok. */
  detail: string;
}

/** Runs a check, which returns its result or throws what is wrong. */
export async function finding(check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, detail: await look() };
  } catch (error) {
    return failed(check, error);
  }
}

export function failed(check: string, error: unknown): Finding {
  return { check, ok: false, detail: explainFailure(error).message ?? 'failed' };
}
