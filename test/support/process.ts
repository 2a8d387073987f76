import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { openTestDatabase } from './open-database.ts';
import { type FreshDatabase, freshDatabase } from './postgres.ts';
import type { TestService } from './service.ts';

/** The service as operators run it: a separate process with only the given settings. */
export interface ServerProcess {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves to `http://127.0.0.1:PORT/api/v1` when the service is ready. Rejects with its output if it ends instead. */
  ready: Promise<string>;
  stdout(): string;
  stderr(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export type Settings = Record<string, string>;

export const repository = fileURLToPath(new URL('../..', import.meta.url));
/** Launches the service with the options and compile cache of `npm start`. */
const service = ['node', '--disable-warning=ExperimentalWarning', 'src/main.ts'];
const compileCache = join(repository, 'node_modules/.cache/node');
const running = new Map<ServerProcess, ChildProcess>();

/**
 * Launches the service, optionally through `npm start`, or by a command that gets the program and its arguments and becomes
 * that program. Uses a free port unless `PORT` is set.
 */
export function launchServer(settings: Settings, start: 'node' | 'npm' | readonly string[] = 'node'): ServerProcess {
  const by = Array.isArray(start) ? start : [];
  const [program = '', ...args] = start === 'npm' ? ['npm', 'start'] : [...by, ...service];
  const child = spawn(program, args, {
    cwd: repository,
    env: { ...surroundings(), PORT: '0', LOG_LEVEL: 'warn', IP_REQUESTS_PER_MINUTE: '1000000', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });

  const server: ServerProcess = {
    pid: Number(child.pid),
    kill: (signal) => process.kill(Number(child.pid), signal),
    ready: new Promise((resolve, reject) => {
      child.stdout.on('data', () => {
        const [, baseUrl] = /^ready (\S+)$/m.exec(stdout) ?? [];
        if (baseUrl !== undefined) resolve(baseUrl);
      });
      child.once('close', (code) => reject(new Error(`the server ended (${code}): ${stderr || stdout}`)));
      child.once('error', reject);
    }),
    stdout: () => stdout,
    stderr: () => stderr,
    ended: new Promise((resolve, reject) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
      child.once('error', reject);
    }),
  };
  server.ready.catch(() => {}); // not every test awaits it
  running.set(server, child);
  void server.ended.then(() => running.delete(server));
  return server;
}

/** Starts a server and waits until it is ready. */
export async function startServer(
  settings: Settings,
  start?: 'node' | 'npm' | readonly string[],
): Promise<ServerProcess & { baseUrl: string }> {
  const server = launchServer(settings, start);
  return { ...server, baseUrl: await server.ready };
}

/** Ends all processes that still run. For `afterEach` or `afterAll`. */
export async function endServers(): Promise<void> {
  for (const child of running.values()) child.kill('SIGKILL');
  await Promise.all([...running.keys()].map((server) => server.ended));
}

/** The pinned Node is first on the PATH, as in npm scripts. Nothing else of this process's environment reaches the service. */
function surroundings(): Settings {
  const { PATH = '', HOME = '/' } = process.env;
  const path = [join(repository, 'node_modules/.bin'), PATH].join(delimiter);
  return { PATH: path, HOME, NODE_COMPILE_CACHE: compileCache };
}

/** One external database and one DATA_DIR for several processes, which the test can read too. */
export interface Ground extends Pick<TestService, 'world' | 'db'> {
  databaseUrl: string;
  dataDir: string;
  /** The settings of every process. */
  settings: Settings;
  clear(): Promise<void>;
}

export async function prepareGround(): Promise<Ground> {
  const database: FreshDatabase = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-process-'));
  const log = createLog('silent');
  const db = openTestDatabase(database.url, 'test');
  return {
    databaseUrl: database.url,
    dataDir,
    settings: { DATABASE_URL: database.url, DATA_DIR: dataDir },
    db,
    world: { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log },
    async clear() {
      await db.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the process ids of all living processes that name `path` or work in it, on Linux. */
export function processesAt(path: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => tracesOf(pid).some((trace) => trace.includes(path)))
    .map(Number);
}

function tracesOf(pid: string): string[] {
  const read = (look: () => string) => {
    try {
      return look();
    } catch {
      return ''; // it has just ended, or belongs to another user
    }
  };
  return [
    read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
    read(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
    read(() => readlinkSync(`/proc/${pid}/cwd`)),
  ];
}
