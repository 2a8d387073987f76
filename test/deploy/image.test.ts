import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';

/**
 * The built image, which `test/full/image.sh` names in IMAGE. Its root file system is mounted read-only, as compose.yaml and
 * the Kubernetes manifests do.
 */
const image = process.env.IMAGE ?? '';
const sizeMaxMb = 300;
const signOne = resolve(import.meta.dirname, '../full/sign-one.mjs');

interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
}

const execute = promisify(execFile);
const buildah = (...args: string[]) => execFileSync('buildah', args, { encoding: 'utf8' }).trim();
const mount = (...args: string[]) => execFileSync('mount', args);

describe.skipIf(image === '')('the image', () => {
  const mounted: string[] = [];
  let container: string;
  let config: ImageConfig;
  let work: string;
  let root: string;

  beforeAll(() => {
    config = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker.config;
    container = buildah('from', '--pull-never', image);
    work = mkdtempSync(join(tmpdir(), 'countersign-image-'));
    root = join(work, 'root');
    mkdirSync(root);
    mountAt('', '--bind', buildah('mount', container));
    mount('-o', 'remount,bind,ro', root);
    mountAt('tmp', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs');
    mountAt('data', '-t', 'tmpfs', '-o', 'mode=770,uid=10001,gid=0', 'tmpfs');
    mountAt('proc', '-t', 'proc', 'proc');
    mountAt('dev', '--bind', '/dev');
  });
  afterAll(() => {
    for (const directory of mounted.reverse()) execFileSync('umount', ['--lazy', directory]);
    buildah('rm', container);
    rmSync(work, { recursive: true });
  });

  function mountAt(directory: string, ...what: string[]): void {
    const target = join(root, directory);
    mount(...what, target);
    mounted.push(target);
  }

  /** Writes a program that runs the image's entry point with its environment, as this user and with these settings. */
  function entryPoint(user: string, settings: Record<string, string>): string {
    const environment = [...config.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
    const command = ['chroot', `--userspec=${user}`, root, 'env', '-i', ...environment, ...config.Entrypoint];
    const program = join(work, settings.DATA_DIR?.replaceAll('/', '-') ?? 'program');
    writeFileSync(program, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`, { mode: 0o755 });
    return program;
  }

  test(`it has an ordinary user, a health check, its commit, and at most ${sizeMaxMb} MB`, () => {
    expect(config).toMatchObject({
      User: '10001:0',
      Entrypoint: ['countersign'],
      Cmd: ['serve'],
      Healthcheck: { Test: ['CMD', 'countersign', 'health'] },
      Labels: {
        'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/),
        'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      },
    });
    const bytes = Number(execFileSync('du', ['-sbx', root], { encoding: 'utf8' }).split('\t')[0]);
    expect(bytes / 1e6).toBeLessThanOrEqual(sizeMaxMb);
  });

  describe('with a database', () => {
    let database: FreshDatabase;
    let proxy: FaultProxy;
    let settings: Record<string, string>;

    beforeAll(async () => {
      database = await freshDatabase();
      // Containers reach their database over TCP.
      proxy = await startFaultProxy(database.url);
      settings = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: proxy.through(database.url) };
    });
    afterAll(async () => {
      await proxy.close();
      await database.drop();
    });

    test('it signs a document, as its own user', async () => {
      const own = { ...settings, DATA_DIR: '/data/own', METRICS_PORT: await freePort() };
      const { stdout } = await execute(process.execPath, [signOne, entryPoint(config.User, own), join(work, 'own')]);
      expect(stdout).toMatch(/^signed one document: a sealed PDF of \d+ bytes$/m);
    });

    test('it runs as any user of group 0, says whether it is healthy, and stops on SIGTERM', async () => {
      const other = { ...settings, DATA_DIR: '/data/other', METRICS_PORT: await freePort() };
      const program = entryPoint('1000680000:0', other);
      const server: ChildProcess = spawn(program, config.Cmd, { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(server, 'close');
      server.stdout?.setEncoding('utf8');
      for await (const text of server.stdout ?? []) if (/^ready /m.test(text)) break;
      expect((await execute(program, ['health'])).stdout).toBe('ready\n');
      server.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      await expect(execute(program, ['health'])).rejects.toThrow(
        `countersign: the service does not answer at http://127.0.0.1:${other.METRICS_PORT}: `,
      );
      expect((await execute(program, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+ \(commit [0-9a-f]{12}\)\n$/);
    });
  });

  test('without a database it says which setting it needs', async () => {
    const start = execute(entryPoint(config.User, { PORT: '0', DATA_DIR: '/data/none' }), config.Cmd);
    await expect(start).rejects.toThrow(/^countersign: .*set DATABASE_URL$/m);
  });
});
