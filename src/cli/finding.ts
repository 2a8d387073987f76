import { explainFailure } from './failure.ts';

export interface Finding {
  check: string;
  ok: boolean;
  /** What was found; where it is not ok, what to do. */
  detail: string;
}

/** A check returns what it found, or throws why it is wrong. */
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
