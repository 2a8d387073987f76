import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/service.ts';
import type { DatabaseNode, Member } from './database-cluster.ts';
import type { Program } from './program.ts';
import type { Restartable, Scene } from './scene.ts';

export interface Fault {
  name: string;
  /** Causes the fault, and ends it. Everything that it took away is started again, but may not be back yet. */
  happen(scene: Scene): Promise<void>;
}

/** How long something that was killed is away before its supervisor starts it again. */
const awayMs = 2000;
const newPrimaryMs = 60_000;

export const faults: readonly Fault[] = [
  {
    name: 'the primary is killed',
    async happen(scene) {
      const node = await nodeWith(scene, 'leader');
      await node.kill();
      await otherPrimary(scene, node.name);
      node.start();
    },
  },
  {
    name: 'the primary is switched over',
    async happen(scene) {
      const before = await nodeWith(scene, 'leader');
      await scene.databases.switchOver();
      await otherPrimary(scene, before.name);
    },
  },
  {
    name: 'the primary is cut off from etcd',
    async happen(scene) {
      const node = await nodeWith(scene, 'leader');
      await node.partition();
      await otherPrimary(scene, node.name);
      await node.rejoin();
    },
  },
  {
    name: 'PgBouncer is killed',
    async happen({ pooler }) {
      pooler.kill('SIGKILL');
      await sleep(awayMs);
      await pooler.restart();
    },
  },
  { name: 'nginx is killed', happen: ({ nginx }) => restart(nginx) },
  { name: 'a web process is killed', happen: ({ webs }) => restart(anyOf(webs)) },
  { name: 'a worker is killed', happen: ({ workers }) => restart(anyOf(workers)) },
  {
    name: 'the synchronous standby is killed',
    async happen(scene) {
      const node = await nodeWith(scene, 'sync_standby');
      await node.kill();
      await sleep(awayMs);
      node.start();
    },
  },
  { name: 'a member of etcd is killed', happen: ({ databases }) => restart(anyOf(databases.etcd)) },
  { name: 'HAProxy is killed', happen: ({ databases }) => restart(databases.haproxy) },
];

async function restart(program: Program | Restartable): Promise<void> {
  await program.kill();
  await sleep(awayMs);
  await program.start();
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

async function nodeWith({ databases }: Scene, role: Member['role']): Promise<DatabaseNode> {
  const member = (await databases.whole()).find((candidate) => candidate.role === role);
  return databases.nodes.find(({ name }) => name === member?.name) as DatabaseNode;
}

/** Waits until the others have a primary of their own. */
async function otherPrimary({ databases }: Scene, former: string): Promise<void> {
  await eventually(
    () => databases.members(former),
    (members) => members.some(({ name, role }) => role === 'leader' && name !== former),
    newPrimaryMs,
  );
}
