import { runCommand } from './core/run-command.ts';
import { oneLine } from './core/terminal.ts';

/** The command line's entry. Sets the exit code instead of calling `process.exit`, so that all output reaches a slow pipe. */
process.stdout.on('error', endQuietly);
process.stderr.on('error', endQuietly);

const exitCode = await runCommand(process.argv.slice(2));
if (exitCode !== 0) process.exitCode = exitCode;

/** A closed pipe (`| head`) is no error. A full disk is. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  process.exitCode = 1;
  process.stderr.write(`countersign: cannot write the output: ${oneLine(error.message)}\n`);
}
