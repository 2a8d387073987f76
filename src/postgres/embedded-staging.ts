import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStart } from './embedded-process.ts';

/** How long to trust a living process that makes the same directory before making it ourselves. */
const patienceMs = 60_000;

/**
 * Makes a directory completely or not at all: `fill` works beside it, a rename puts it in place. A kill at any moment
 * leaves at most a stage that a later call clears away; of several processes at once one fills and the others wait.
 * Returns whether it was us who made it.
 */
export async function createDirectoryWhole(
  directory: string,
  mode: number,
  fill: (stage: string) => Promise<void>,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (!existsSync(directory) && (await othersAtWork(directory)) && performance.now() < deadline) await sleep(20);
  if (existsSync(directory)) return false;

  const stage = `${directory}${stageMark}${process.pid}-${processStart(process.pid)}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(stage, { mode });
    await chmod(stage, mode); // what the umask took away
    await fill(stage);
    return await putInPlace(stage, directory);
  } catch (error) {
    // Another process was faster and may have cleared our stage away.
    if (existsSync(directory)) return false;
    throw error;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

const stageMark = '.new-';

/** Clears away what dead processes left, and tells whether a living one is making the directory. */
async function othersAtWork(directory: string): Promise<boolean> {
  const prefix = basename(directory) + stageMark;
  let busy = false;
  for (const name of (await readdir(dirname(directory))).filter((name) => name.startsWith(prefix))) {
    const [pid, start] = name.slice(prefix.length).split('-');
    if (processStart(Number(pid)) === start) {
      busy = true;
    } else {
      // An initdb that outlived its starter may still write there and make this fail: then the next start clears it.
      await rm(join(dirname(directory), name), { recursive: true, force: true }).catch(() => {});
    }
  }
  return busy;
}

async function putInPlace(stage: string, directory: string): Promise<boolean> {
  try {
    await rename(stage, directory);
  } catch (error) {
    if (existsSync(directory)) return false;
    throw error;
  }
  const parent = await open(dirname(directory));
  await parent.sync().finally(() => parent.close());
  return true;
}
