/** A PDF process that attempts what a compromised one would. Each job answers with `done` or with the code of the error. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { serveJobs } from '../serve-jobs.ts';

export type Attempt =
  | { kind: 'connect'; port: number }
  | { kind: 'write'; path: string }
  | { kind: 'write output'; output: string; text: string }
  | { kind: 'link'; to: string; path: string }
  | { kind: 'read'; path: string }
  | { kind: 'spawn' }
  | { kind: 'write from a thread'; path: string }
  | { kind: 'compile cache' };

serveJobs(async (attempt: Attempt): Promise<unknown> => {
  try {
    return await make(attempt);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
});

async function make(attempt: Attempt): Promise<unknown> {
  switch (attempt.kind) {
    case 'connect':
      await connected(attempt.port);
      return 'done';
    case 'write':
      writeFileSync(attempt.path, 'changed');
      return 'done';
    case 'write output':
      writeFileSync(attempt.output, attempt.text);
      return attempt.output;
    case 'link':
      symlinkSync(attempt.to, attempt.path);
      return 'done';
    case 'read':
      return readFileSync(attempt.path, 'utf8');
    case 'spawn': {
      const { error } = spawnSync(process.execPath, ['--version']);
      if (error) throw error;
      return 'done';
    }
    case 'write from a thread': {
      const code = `require('node:fs').writeFileSync(${JSON.stringify(attempt.path)}, 'changed')`;
      const thread = new Worker(code, { eval: true, execArgv: [] });
      await new Promise((resolve, reject) => thread.once('exit', resolve).once('error', reject));
      return 'done';
    }
    case 'compile cache':
      return getCompileCacheDir();
  }
}

function connected(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, resolve);
    socket.once('connect', () => socket.destroy());
    socket.once('error', reject);
  });
}
