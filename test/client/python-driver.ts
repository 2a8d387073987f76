import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { ClientDriver, Outcome } from './driver.ts';

const root = join(import.meta.dirname, '../..');

interface Running {
  child: ChildProcessByStdio<Writable, Readable, null>;
  lines: AsyncIterator<string>;
  reader: Interface;
}

/** The Python client, in a process that starts with the first call. */
export function pythonDriver(): ClientDriver {
  let running: Running | null = null;
  return {
    name: 'Python',
    async call(settings, operation, ...given): Promise<Outcome> {
      running ??= start();
      const { child, lines } = running;
      child.stdin.write(`${JSON.stringify({ settings, operation, given })}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the Python client ended');
      return JSON.parse(value);
    },
    stop() {
      running?.child.stdin.end();
      running?.reader.close();
      running = null;
    },
  };
}

function start(): Running {
  const child = spawn('python3', [join(import.meta.dirname, 'python_driver.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PYTHONPATH: join(root, 'packages/client-python'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUTF8: '1',
      NO_PROXY: '*',
    },
  });
  const reader = createInterface({ input: child.stdout });
  return { child, reader, lines: reader[Symbol.asyncIterator]() };
}
