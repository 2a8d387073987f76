import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStart } from './embedded-process.ts';

/** How long to wait for another process that creates the same directory. */
const waitMs = 60_000;

/**
 * Creates a directory completely or not at all. `fill` works in a stage directory next to it, which is then renamed. A
 * killed process leaves at most a stage, which a later call deletes. If several processes call this at once, one fills
 * and the others wait. Returns whether this call created the directory.
 */
export async function createDirectoryAtomically(
  directory: string,
  mode: number,
  fill: (stage: string) => Promise<void>,
): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while ((await othersAtWork(directory)) && !existsSync(directory) && performance.now() < deadline) await sleep(20);
  if (existsSync(directory)) return false;

  const stage = `${directory}${stageMark}${process.pid}-${processStart(process.pid)}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(stage, { mode });
    await chmod(stage, mode); // the umask may have removed bits
    await fill(stage);
    return await putInPlace(stage, directory);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

const stageMark = '.new-';

/** An initdb may outlive its killed parent for a moment, and still needs its files. */
const orphanMs = 10_000;

/** Returns whether another process is creating the directory. Deletes the stages of dead processes. */
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
    // Another process created it first.
    if (existsSync(directory)) return false;
    throw error;
  }
  const parent = await open(dirname(directory));
  await parent.sync().finally(() => parent.close());
  return true;
}
