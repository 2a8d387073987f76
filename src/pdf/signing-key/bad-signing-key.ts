import { OperatorError } from '../../errors.ts';

/** `rule`: what `SIGNING_KEY` must look like, as the end of "it …". */
export function badSigningKey(rule: string): OperatorError {
  return new OperatorError(`bad setting SIGNING_KEY: it ${rule}`);
}
