import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStart } from './embedded-process.ts';

/** How long to trust a living process that makes the same directory before making it ourselves. */
const patienceMs = 60_000;

/**
 * Makes a directory completely or not at all: `fill` works beside it, a rename puts it in place. A kill at any moment
 * leaves at most a stage that a later call clears away; of several processes at once one fills and the others wait.
 * Returns whether it had to be made, and was by us.
 */
export async function createDirectoryWhole(
  directory: string,
  mode: number,
  fill: (stage: string) => Promise<void>,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while ((await othersAtWork(directory)) && !existsSync(directory) && performance.now() < deadline) await sleep(20);
  if (existsSync(directory)) return false;

  const stage = `${directory}${stageMark}${process.pid}-${processStart(process.pid)}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(stage, { mode });
    await chmod(stage, mode); // what the umask took away
    await fill(stage);
    return await putInPlace(stage, directory);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

const stageMark = '.new-';

/** An initdb outlives its killed starter by a moment, and its files must outlive it. */
const orphanMs = 10_000;

/** Tells whether a living process is making the directory, and clears away what dead ones left. */
async function othersAtWork(directory: string): Promise<boolean> {
  const prefix = basename(directory) + stageMark;
  let busy = false;
  for (const name of (await readdir(dirname(directory))).filter((name) => name.startsWith(prefix))) {
    const path = join(dirname(directory), name);
    const [pid, start] = name.slice(prefix.length).split('-');
    if (processStart(Number(pid)) === start) {
      busy = true;
    } else if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > orphanMs) {
      await rm(path, { recursive: true, force: true });
    }
  }
  return busy;
}

async function putInPlace(stage: string, directory: string): Promise<boolean> {
  try {
    await rename(stage, directory);
  } catch (error) {
    // Another process was faster.
    if (existsSync(directory)) return false;
    throw error;
  }
  const parent = await open(dirname(directory));
  await parent.sync().finally(() => parent.close());
  return true;
}
