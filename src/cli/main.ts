import { explainFailure } from './failure.ts';
import { buildProgram } from './program.ts';
import { oneLine } from './terminal.ts';

/**
 * `countersign <noun> <verb> …`: one command, then the process ends. Exit 0 done, 1 refused, 2 usage. The exit code is
 * set rather than forced, so that what was printed reaches a slow reader.
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

/** Whoever read our output has left (`| head`): nothing is wrong. A full disk is. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  process.exitCode = 1;
  process.stderr.write(`countersign: cannot write the output: ${oneLine(error.message)}\n`);
}
