import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTsa } from '../../../src/sealing/testing/tsa-server.ts';
import { randomBetween } from '../../crash/outcome.ts';
import { type DnsReply, startDnsServer } from '../../support/dns-server.ts';
import { type FileStoreServer, startFileStore } from '../../support/file-store.ts';
import { type Gate, openGate } from '../../support/gate.ts';
import { hasTool } from '../../support/tools.ts';
import type { BadDay } from './load.ts';

/** The faults that an installation meets sooner or later, each caused for real. */
export const badDays: readonly BadDay[] = [
  {
    name: 'connections break at COMMIT, before or after the server executes it',
    async happen({ proxy }, ms) {
      await until(ms, async () => {
        if (Math.random() < 0.5) proxy.cutAfter('commit');
        else proxy.cutBefore('commit');
        await sleep(randomBetween(20, 300));
      });
      await proxy.restore().catch(() => {}); // nothing may have come after the last one
    },
  },
  {
    name: 'the database freezes',
    async happen({ proxy }, ms) {
      proxy.away('frozen');
      await sleep(ms);
      await proxy.restore('left');
    },
  },
  {
    name: 'a worker stands still past its leases, and continues',
    async happen({ workers: [worker] }, ms) {
      worker?.kill('SIGSTOP');
      await sleep(ms);
      worker?.kill('SIGCONT');
    },
  },
  {
    name: 'the mail server is out',
    async happen({ mailOut, mailBack }, ms) {
      await mailOut();
      await sleep(ms);
      await mailBack();
    },
  },
  {
    name: 'the receiver of webhooks is out',
    async happen({ receiver }, ms) {
      const { answer } = receiver;
      receiver.answer = (response) => (Math.random() < 0.5 ? response.destroy() : response.writeHead(503).end());
      await sleep(ms);
      receiver.answer = answer;
    },
  },
  {
    name: 'DNS is gone',
    needs: 'root, the right to mount, and port 53 of 127.0.0.1',
    async prepare({ dataDir }) {
      const names = await serveNames(join(dataDir, 'resolv.conf'));
      if (names === null) return null;
      nameServers.set(dataDir, names);
      return { ...names, settings: {}, receiverHost: 'hooks.example.com' };
    },
    async happen({ ground }, ms) {
      const names = nameServers.get(ground.dataDir) as NameServer;
      names.silent = true;
      await sleep(ms);
      names.silent = false;
    },
  },
  {
    name: 'the disk is full',
    needs: 'root, and the right to mount',
    prepare: async ({ dataDir }) => mountSmallDisk(join(dataDir, 'files')),
    async happen({ ground }, ms) {
      const filler = join(ground.dataDir, 'files', 'filler');
      fill(filler);
      await sleep(ms);
      rmSync(filler);
    },
  },
  {
    name: 'the file store is out',
    async prepare({ dataDir }) {
      const store = await startFileStore(join(dataDir, 'buckets'));
      stores.set(dataDir, store);
      return { settings: store.settings, end: () => store.out() };
    },
    async happen({ ground }, ms) {
      const store = stores.get(ground.dataDir) as FileStoreServer;
      await store.out();
      await sleep(ms);
      await store.back();
    },
  },
  {
    name: 'the authority of time-stamps is out',
    needs: 'openssl',
    async prepare({ dataDir }) {
      if (!hasTool('openssl')) return null;
      const gate = await openGate(new URL(await startTsa()).port);
      gates.set(dataDir, gate);
      return { settings: { TSA_URL: `http://127.0.0.1:${gate.port}/` }, end: () => gate.shut() };
    },
    async happen({ ground }, ms) {
      const gate = gates.get(ground.dataDir) as Gate;
      await gate.shut();
      await sleep(ms);
      await gate.open();
    },
  },
  {
    name: 'the clocks of the processes jump',
    needs: "Debian's libfaketime",
    async prepare({ dataDir }) {
      const library = faketimeLibraries.find((path) => existsSync(path));
      if (library === undefined) return null;
      const file = join(dataDir, 'clock');
      writeFileSync(file, '+0');
      const settings = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        // A retry that is planned while the clock is ahead waits until the time has come.
        WEBHOOK_TIMEOUT_MS: '20000',
      };
      return { settings, end: async () => {} };
    },
    async happen({ ground }, ms) {
      const file = join(ground.dataDir, 'clock');
      for (const jump of ['+1h', '-1h', '+2m', '-20']) {
        writeFileSync(file, jump);
        await sleep(ms / 4);
      }
      writeFileSync(file, '+0');
    },
  },
];

const faketimeLibraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`);

const stores = new Map<string, FileStoreServer>();
const gates = new Map<string, Gate>();

interface NameServer {
  silent: boolean;
  start: readonly string[];
  end(): Promise<void>;
}

const nameServers = new Map<string, NameServer>();

/** Starts a DNS server, and returns a command that starts the service in a mount namespace with that server. */
async function serveNames(file: string): Promise<NameServer | null> {
  writeFileSync(file, 'nameserver 127.0.0.1\n');
  const start = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file];
  const [program = '', ...args] = start;
  if (spawnSync(program, [...args, 'true']).status !== 0) return null;
  const names = { silent: false, start, end: async () => {} };
  const reply = (): DnsReply => (names.silent ? 'silence' : { addresses: ['127.0.0.1'], ttl: 1 });
  const server = await startDnsServer(reply, 53).catch(() => null);
  if (server === null) return null;
  return Object.assign(names, { end: server.close });
}

async function until(ms: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await work();
}

/** Mounts a file system that is large enough for the sealed PDFs of a minute of load, of about 75 kB each. */
function mountSmallDisk(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', directory]);
  if (mounted.status !== 0) return null;
  return {
    settings: {},
    end: async () => void spawnSync('umount', ['-l', directory]),
  };
}

function fill(file: string): void {
  const { bavail, bsize } = statfsSync(join(file, '..'));
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}
