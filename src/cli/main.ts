import { explainFailure } from './core/failure.ts';
import { buildProgram } from './core/program.ts';
import { oneLine } from './core/terminal.ts';

/**
 * Runs one command: `countersign <noun> <verb> …`. Exit code 0: done, 1: refused, 2: usage error. Sets the exit code instead of
 * calling `process.exit`, so that all output reaches a slow pipe.
 */
process.stdout.on('error', endQuietly);
process.stderr.on('error', endQuietly);

try {
  const program = await buildProgram(process.argv.slice(2));
  await program.parseAsync(process.argv.slice(2), { from: 'user' });
} catch (error) {
  const { exitCode, message } = explainFailure(error);
  if (message !== null) process.stderr.write(`countersign: ${message}\n`);
  process.exitCode = exitCode;
}

/** A closed pipe (`| head`) is no error. A full disk is. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  process.exitCode = 1;
  process.stderr.write(`countersign: cannot write the output: ${oneLine(error.message)}\n`);
}
