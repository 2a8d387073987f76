import { inspect } from 'node:util';
import type { Reporter, TestCase } from 'vitest/node';

/** Prints a failure when it happens, because a run that is cut off never comes to its summary. */
export default class ReportFailures implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'failed') return;
    console.log(`FAILED ${test.module.relativeModuleId}: ${test.fullName}`);
    for (const { message, stack, cause } of errors) {
      console.log(stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`);
      if (cause !== undefined) console.log(`Cause: ${inspect(cause)}`);
    }
  }
}
