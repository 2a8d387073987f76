import { PassThrough, Writable } from 'node:stream';
import { runCommand } from '../../src/cli/core/run-command.ts';

/**
 * A process that runs one command line after the other, each with its own environment, working directory and output. It is a
 * child of the tests: starting a process for each command would take most of their time.
 */
export interface CommandToRun {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  input: string;
}

export interface CommandEnded {
  code: number;
  stdout: Buffer;
  stderr: string;
}

process.on('message', async ({ args, env, cwd, input }: CommandToRun) => {
  const stdout = keep();
  const stderr = keep();
  process.env = { ...env };
  process.chdir(cwd);
  replace('stdin', new PassThrough().end(input));
  replace('stdout', stdout.stream);
  replace('stderr', stderr.stream);
  const code = await runCommand(args);
  process.send?.({ code, stdout: stdout.kept(), stderr: stderr.kept().toString() } satisfies CommandEnded);
});
process.once('disconnect', () => process.exit());

function replace(name: 'stdin' | 'stdout' | 'stderr', value: unknown): void {
  Object.defineProperty(process, name, { value, configurable: true });
}

function keep(): { stream: Writable; kept(): Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, kept: () => Buffer.concat(chunks) };
}
