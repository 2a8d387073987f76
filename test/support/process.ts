import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { type FreshDatabase, freshDatabase } from './postgres.ts';
import type { TestService } from './service.ts';

/** The service as operators run it: a process of its own, with the settings given and nothing else. */
export interface ServerProcess {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** `http://127.0.0.1:PORT/api/v1`, once it says that it is ready. Fails with what it said when it ends instead. */
  ready: Promise<string>;
  stdout(): string;
  stderr(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export type Settings = Record<string, string>;

export const repository = fileURLToPath(new URL('../..', import.meta.url));
/** The service itself, with the options and the store of compiled code that `npm start` gives it. */
const service = ['node', '--disable-warning=ExperimentalWarning', 'src/main.ts'];
const compileCache = join(repository, 'node_modules/.cache/node');
const running = new Map<ServerProcess, ChildProcess>();

/** Starts the service; on demand with `npm start` itself in front of it. On a free port unless `PORT` is set. */
export function launchServer(settings: Settings, start: 'node' | 'npm' = 'node'): ServerProcess {
  const [program = '', ...args] = start === 'npm' ? ['npm', 'start'] : service;
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
  server.ready.catch(() => {}); // not every test waits for it
  running.set(server, child);
  void server.ended.then(() => running.delete(server));
  return server;
}

/** A server that is ready. */
export async function startServer(
  settings: Settings,
  start?: 'node' | 'npm',
): Promise<ServerProcess & { baseUrl: string }> {
  const server = launchServer(settings, start);
  return { ...server, baseUrl: await server.ready };
}

/** For `afterEach` or `afterAll`: ends what still runs, each by its number. */
export async function endServers(): Promise<void> {
  for (const child of running.values()) child.kill('SIGKILL');
  await Promise.all([...running.keys()].map((server) => server.ended));
}

/** The pinned Node comes first on the PATH, as it does for npm's scripts. Nothing else of ours reaches the service. */
function surroundings(): Settings {
  const { PATH = '', HOME = '/' } = process.env;
  const path = [join(repository, 'node_modules/.bin'), PATH].join(delimiter);
  return { PATH: path, HOME, NODE_COMPILE_CACHE: compileCache };
}

/** One external database and one DATA_DIR for several processes, and the test's own way to look at both. */
export interface Ground extends Pick<TestService, 'world' | 'db'> {
  databaseUrl: string;
  dataDir: string;
  /** What every process on this ground is started with. */
  settings: Settings;
  clear(): Promise<void>;
}

export async function prepareGround(): Promise<Ground> {
  const database: FreshDatabase = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-process-'));
  const log = createLog('silent');
  const db = openDatabase({ url: database.url, connectionsMax: 4, log });
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

/** The numbers of all living processes that name `path` or work in it, on Linux. */
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
      return ''; // it has just ended, or is another user's
    }
  };
  return [
    read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
    read(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
    read(() => readlinkSync(`/proc/${pid}/cwd`)),
  ];
}
