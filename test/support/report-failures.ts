import { inspect } from 'node:util';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const slowestMax = 25;

/**
 * Prints a failure when it happens, because a run that is cut off never comes to its summary. At the end it lists the slowest
 * files, which decide how long a run takes.
 */
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

  onTestRunEnd(modules: readonly TestModule[]): void {
    const durations = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .sort((a, b) => b.seconds - a.seconds);
    const total = durations.reduce((sum, { seconds }) => sum + seconds, 0);
    console.log(`Tests took ${total.toFixed(0)} s in ${modules.length} files. The slowest:`);
    for (const { file, seconds } of durations.slice(0, slowestMax))
      console.log(`${seconds.toFixed(0).padStart(6)} s ${file}`);
  }
}
