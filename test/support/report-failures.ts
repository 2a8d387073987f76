import { appendFileSync } from 'node:fs';
import { inspect, stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

const slowestMax = 25;

/**
 * Prints a failure when it happens, because a run that is cut off never comes to its summary. At the end it lists the slowest
 * files, which decide how long a run takes. Where `FAILURES_FILE` is set, that file gets the failures too, for the end of a
 * longer run.
 */
export default class ReportFailures implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === 'failed') report(`FAILED ${test.module.relativeModuleId}: ${test.fullName}`, errors);
  }

  onTestModuleEnd(module: TestModule): void {
    const errors = module.errors();
    if (errors.length > 0) report(`FAILED ${module.relativeModuleId}, outside a test`, errors);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    if (unhandledErrors.length > 0) report('FAILED: errors that no test caught', unhandledErrors);
    const durations = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .sort((a, b) => b.seconds - a.seconds);
    const total = durations.reduce((sum, { seconds }) => sum + seconds, 0);
    console.log(`Tests took ${total.toFixed(0)} s in ${modules.length} files. The slowest:`);
    for (const { file, seconds } of durations.slice(0, slowestMax))
      console.log(`${seconds.toFixed(0).padStart(6)} s ${file}`);
  }
}

interface Failure {
  message: string;
  stack?: string | undefined;
  diff?: string | undefined;
  cause?: unknown;
}

function report(headline: string, errors: readonly Failure[]): void {
  const lines = [headline];
  for (const { message, stack, diff, cause } of errors) {
    lines.push(stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`);
    if (diff !== undefined) lines.push(stripVTControlCharacters(diff));
    if (cause !== undefined) lines.push(`Cause: ${inspect(cause)}`);
  }
  const text = lines.join('\n');
  console.log(text);
  const file = process.env.FAILURES_FILE;
  if (file !== undefined) appendFileSync(file, `${text}\n`);
}
