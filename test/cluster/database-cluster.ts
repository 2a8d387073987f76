import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { type Gate, openGate } from '../support/gate.ts';
import { eventually } from '../support/service.ts';
import { describeProgram, type Program } from './program.ts';

/** A machine with PostgreSQL and Patroni, and its way to etcd. */
export interface DatabaseNode {
  name: string;
  /** Stops both at once, as a machine that loses its power. */
  kill(): Promise<void>;
  start(): void;
  /** Cuts the machine off from etcd. */
  partition(): Promise<void>;
  rejoin(): Promise<void>;
}

export interface Member {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
}

/** Three etcd, three PostgreSQL under Patroni with one synchronous standby, and HAProxy, which passes on to the primary. */
export interface DatabaseCluster {
  /** The address of the primary, through HAProxy. */
  url: string;
  nodes: readonly DatabaseNode[];
  etcd: readonly Program[];
  haproxy: Program;
  /** As one of the nodes sees them, other than `exceptName`. */
  members(exceptName?: string): Promise<Member[]>;
  /** Waits until all nodes run, one of them as primary and one as synchronous standby. */
  whole(): Promise<Member[]>;
  switchOver(): Promise<void>;
}

/** Seconds after which the others replace a silent primary. Patroni allows no less than 20. */
const leaderTtlSeconds = 20;
const wholeMs = 180_000;

/** `stops` gets what ends it again, also when it does not come about. */
export async function startDatabaseCluster(
  directory: string,
  stops: Array<() => Promise<unknown>>,
): Promise<DatabaseCluster> {
  const { etcd, clientPorts } = await startEtcd(directory, stops);
  const nodes = await Promise.all([1, 2, 3].map((number) => describeNode(directory, `node-${number}`, clientPorts)));
  stops.push(() => Promise.all(nodes.map((node) => node.kill().then(node.partition))));
  for (const node of nodes) node.start();
  const { haproxy, port } = await startHaproxy(directory, nodes);
  stops.push(() => haproxy.kill());

  const members = async (exceptName?: string): Promise<Member[]> => {
    for (const { restPort } of nodes.filter(({ name }) => name !== exceptName)) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const whole = () => eventually(() => members(), isWhole, wholeMs);
  await whole();
  return {
    ...{ nodes, etcd, haproxy, members, whole },
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async switchOver() {
      const now = await members();
      const leader = now.find(({ role }) => role === 'leader')?.name;
      const candidate = now.find(({ role }) => role === 'sync_standby')?.name;
      const restPort = nodes.find(({ name }) => name === leader)?.restPort;
      const answer = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader, candidate }),
      });
      if (!answer.ok) throw new Error(`no switch-over: ${answer.status} ${await answer.text()}`);
    },
  };
}

function isWhole(members: Member[]): boolean {
  const count = (wanted: Member['role']) => members.filter(({ role }) => role === wanted).length;
  const run = members.every(({ state }) => state === 'running' || state === 'streaming');
  return members.length === 3 && run && count('leader') === 1 && count('sync_standby') === 1;
}

async function startEtcd(directory: string, stops: Array<() => Promise<unknown>>) {
  const ports = await Promise.all([1, 2, 3].map(async () => ({ client: await freePort(), peer: await freePort() })));
  const peers = ports.map(({ peer }, i) => `etcd-${i}=http://127.0.0.1:${peer}`).join(',');
  const etcd = ports.map(({ client, peer }, i) => {
    const clientUrl = `http://127.0.0.1:${client}`;
    const peerUrl = `http://127.0.0.1:${peer}`;
    return describeProgram(`etcd-${i}`, directory, [
      ...['etcd', '--name', `etcd-${i}`, '--data-dir', join(directory, `etcd-${i}`)],
      ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', peers, '--initial-cluster-state', 'new'],
      // Longer than by default: the machine of a test is busy.
      ...['--heartbeat-interval', '200', '--election-timeout', '2000'],
    ]);
  });
  stops.push(() => Promise.all(etcd.map((member) => member.kill())));
  for (const member of etcd) member.start();
  await Promise.all(ports.map(({ client }) => eventually(() => clusterVersion(client), isDecided)));
  return { etcd, clientPorts: ports.map(({ client }) => client) };
}

/** Patroni ends when etcd has not agreed on its version yet. */
const isDecided = (version: string | null) => version !== null && version !== 'not_decided';

async function clusterVersion(port: string): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/version`).catch(() => null);
  return answer === null ? null : ((await answer.json()) as { etcdcluster: string }).etcdcluster;
}

async function describeNode(directory: string, name: string, etcdPorts: string[]) {
  const gates: Gate[] = await Promise.all(etcdPorts.map((port) => openGate(port)));
  const [restPort, port] = [await freePort(), await freePort()];
  const data = join(directory, name);
  const file = join(directory, `${name}.yaml`);
  writeFileSync(file, JSON.stringify(settingsOf({ name, data, restPort, port, gates })));
  const patroni = describeProgram(name, directory, ['patroni', file]);
  return {
    ...{ name, restPort, port },
    start: () => patroni.start(),
    async kill() {
      await patroni.kill();
      killPostmaster(data);
    },
    async partition() {
      await Promise.all(gates.map((gate) => gate.shut()));
    },
    async rejoin() {
      await Promise.all(gates.map((gate) => gate.open()));
    },
  };
}

/** YAML contains JSON. */
function settingsOf(node: { name: string; data: string; restPort: string; port: string; gates: Gate[] }): object {
  const { name, data, restPort, port, gates } = node;
  return {
    scope: 'countersign',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // As proxies, so that Patroni does not ask etcd for addresses that lead around the gates.
    etcd3: { hosts: gates.map((gate) => `127.0.0.1:${gate.port}`), use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: leaderTtlSeconds,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        // A primary that crashed is replaced rather than waited for.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: binaries(),
      pgpass: join(data, '..', `${name}.pgpass`),
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      // Killed processes lose nothing that they wrote, so nothing waits for the disk of the test's machine.
      parameters: { max_connections: 200, fsync: 'off', shared_buffers: '64MB', unix_socket_directories: '' },
    },
  };
}

function binaries(): string {
  const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${versions[0]}/bin`;
}

function killPostmaster(data: string): void {
  try {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  } catch {
    // It does not run.
  }
}

async function startHaproxy(directory: string, nodes: readonly { name: string; port: string; restPort: string }[]) {
  const port = await freePort();
  const servers = nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`);
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  );
  const haproxy = describeProgram('haproxy', directory, ['haproxy', '-db', '-f', file]);
  haproxy.start();
  return { haproxy, port };
}
