import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Served {
  pid: number;
  origin: string;
}

const fileOf = (dataDir: string) => join(dataDir, 'serving.json');

/** Tells whoever shares this DATA_DIR and machine where this process answers: their own PORT may be another. */
export async function noteServedOrigin(dataDir: string, origin: string): Promise<void> {
  const served: Served = { pid: process.pid, origin };
  await writeFile(fileOf(dataDir), `${JSON.stringify(served)}\n`);
}

/** Another process may have noted itself meanwhile: that note stays. */
export async function forgetServedOrigin(dataDir: string): Promise<void> {
  if ((await read(dataDir))?.pid === process.pid) await rm(fileOf(dataDir), { force: true });
}

/** Null when no process is known to answer. One that was killed left its note behind. */
export async function findServedOrigin(dataDir: string): Promise<string | null> {
  const served = await read(dataDir);
  return served !== null && isRunning(served.pid) ? served.origin : null;
}

/** Null also for a note that is just being written. */
async function read(dataDir: string): Promise<Served | null> {
  try {
    return JSON.parse(await readFile(fileOf(dataDir), 'utf8'));
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
