import { explainFailure } from './failure.ts';
import { buildProgram } from './program.ts';

/**
 * Runs one command: `countersign <noun> <verb> …`. Prints its result, or the reason of its failure. Returns the exit code. 0:
 * done, 1: refused, 2: usage error.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    const program = await buildProgram(args);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message } = explainFailure(error);
    if (message !== null) process.stderr.write(`countersign: ${message}\n`);
    return exitCode;
  }
}
