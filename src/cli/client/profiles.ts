import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientEnvironment } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { systemClock } from '../../platform/clock.ts';

/** A server and a key for it, stored by `countersign login`. */
export interface Profile {
  base_url: string;
  api_key: string;
}

type Profiles = Record<string, Profile>;

const onlyOwner = 0o600;

/** `$XDG_CONFIG_HOME/countersign/profiles.json`, by default below `~/.config`. */
export function profilesPath(): string {
  const configured = clientEnvironment().XDG_CONFIG_HOME;
  return join(configured || join(homedir(), '.config'), 'countersign', 'profiles.json');
}

/** Returns null when there is no profile of this name. Throws a `Refusal` when the file can't be used. */
export async function findProfile(name: string): Promise<Profile | null> {
  const profiles = await readProfiles();
  return Object.hasOwn(profiles, name) ? (profiles[name] as Profile) : null;
}

/** Adds or replaces a profile. The file is readable for its owner only, and never half-written. */
export async function storeProfile(name: string, profile: Profile): Promise<void> {
  await changeProfiles((profiles) => ({ ...profiles, [name]: profile }));
}

/** Returns false when there was no such profile. */
export async function removeProfile(name: string): Promise<boolean> {
  if ((await findProfile(name)) === null) return false;
  return changeProfiles(({ [name]: removed, ...rest }) => (removed === undefined ? null : rest));
}

async function readProfiles(): Promise<Profiles> {
  const path = profilesPath();
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Refusal(`${path} can't be read: ${error.code}`);
  });
  if (text === null) return {};
  const { mode } = await stat(path);
  if (mode & 0o077) throw new Refusal(`${path} holds API keys and others may open it: run chmod 600 ${path}`);
  const profiles = parsed(text);
  if (!isProfiles(profiles)) throw new Refusal(`${path} is damaged: delete it and log in again`);
  return profiles;
}

/**
 * Replaces the file by a new one. Creating the new one is also the lock: commands that change profiles at the same moment
 * do so in turn, and none is lost. Returns false when `change` returns null: then nothing is replaced.
 */
async function changeProfiles(change: (profiles: Profiles) => Profiles | null): Promise<boolean> {
  const path = profilesPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.new`;
  const file = await createAlone(next);
  try {
    const profiles = change(await readProfiles());
    if (profiles === null) {
      await rm(next);
      return false;
    }
    // The umask may have taken the owner's rights too.
    await file.chmod(onlyOwner);
    await file.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
    await file.sync();
    await rename(next, path);
    return true;
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const retryMs = 20;
/** Longer than any change takes. A file as old as this was left by a command that was killed. */
const abandonedMs = 5000;

/** Creates a file, once no other command has it. */
async function createAlone(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, 'wx', onlyOwner);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = await stat(path).catch(() => null);
    if (other !== null && systemClock.now().getTime() - other.mtimeMs > abandonedMs) await rm(path, { force: true });
    await sleep(retryMs);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Written out, because a library that validates takes longer to load than the rest of a command. */
function isProfiles(value: unknown): value is Profiles {
  return isObject(value) && Object.values(value).every(isProfile);
}

function isProfile(value: unknown): value is Profile {
  return isObject(value) && typeof value.base_url === 'string' && typeof value.api_key === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
