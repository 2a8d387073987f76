import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Child {
  /** The port that it listens on. 0 for a worker. */
  port: number;
  pid: number;
  readyMs: number;
  stop(): Promise<unknown>;
}

const children: Child[] = [];

/** A program that prints a line `ready …` when it is. */
export async function startChild(program: string, args: string[], env: Record<string, string>): Promise<Child> {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^ready (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    const started = {
      port: Number(port),
      pid: child.pid ?? 0,
      readyMs: performance.now() - startedAt,
      stop() {
        child.kill('SIGTERM');
        return ended;
      },
    };
    children.push(started);
    return started;
  }
  throw new Error(`${program} did not start`);
}

export async function endChildren(): Promise<void> {
  await Promise.all(children.splice(0).map((child) => child.stop()));
}
