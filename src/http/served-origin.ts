import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inheritOwner } from '../platform/inherit-owner.ts';

interface Served {
  pid: number;
  origin: string;
}

const fileOf = (dataDir: string) => join(dataDir, 'serving.json');

/** Records where this process serves, for other processes with the same DATA_DIR. Their own PORT may differ. */
export async function recordServedOrigin(dataDir: string, origin: string): Promise<void> {
  const served: Served = { pid: process.pid, origin };
  await writeFile(fileOf(dataDir), `${JSON.stringify(served)}\n`);
  await inheritOwner(fileOf(dataDir));
}

/** Deletes the record, unless another process has replaced it. */
export async function forgetServedOrigin(dataDir: string): Promise<void> {
  if ((await read(dataDir))?.pid === process.pid) await rm(fileOf(dataDir), { force: true });
}

/** Returns the origin of the serving process. Null if none is known. A killed process leaves its record behind. */
export async function findServedOrigin(dataDir: string): Promise<string | null> {
  const served = await read(dataDir);
  return served !== null && isRunning(served.pid) ? served.origin : null;
}

/** Also returns null for a record that is being written. */
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
