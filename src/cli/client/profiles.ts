import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { processEnvironment } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { systemRandom } from '../../platform/random.ts';

const profileSchema = Type.Object({ base_url: Type.String(), api_key: Type.String() });
const profilesSchema = Type.Record(Type.String(), profileSchema);

/** A server and a key for it, stored by `countersign login`. */
export type Profile = Static<typeof profileSchema>;
type Profiles = Static<typeof profilesSchema>;

const onlyOwner = 0o600;

/** `$XDG_CONFIG_HOME/countersign/profiles.json`, by default below `~/.config`. */
export function profilesPath(): string {
  const configured = processEnvironment().XDG_CONFIG_HOME;
  return join(configured || join(homedir(), '.config'), 'countersign', 'profiles.json');
}

/** Returns null when there is no profile of this name. Throws a `Refusal` when the file can't be used. */
export async function findProfile(name: string): Promise<Profile | null> {
  const profiles = await readProfiles();
  return Object.hasOwn(profiles, name) ? (profiles[name] as Profile) : null;
}

/** Adds or replaces a profile. The file is readable for its owner only, and never half-written. */
export async function storeProfile(name: string, profile: Profile): Promise<void> {
  await writeProfiles({ ...(await readProfiles()), [name]: profile });
}

/** Returns false when there was no such profile. */
export async function removeProfile(name: string): Promise<boolean> {
  const { [name]: removed, ...rest } = await readProfiles();
  if (removed !== undefined) await writeProfiles(rest);
  return removed !== undefined;
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
  if (!Value.Check(profilesSchema, profiles)) throw new Refusal(`${path} is damaged: delete it and log in again`);
  return profiles;
}

async function writeProfiles(profiles: Profiles): Promise<void> {
  const path = profilesPath();
  const temporary = `${path}.${systemRandom.bytes(6).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: onlyOwner, flag: 'wx', flush: true });
    // The umask may have taken the owner's rights too.
    await chmod(temporary, onlyOwner);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
