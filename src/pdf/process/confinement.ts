import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Permissions {
  /** Whether the process may use the network. Otherwise it has none, if the system supports that. */
  network: boolean;
  /** Directories that the process may write to. The rest of the disk is read-only. */
  writable: readonly string[];
}

/** The command that starts a process with limited permissions. */
export interface ConfinedStart {
  execPath: string;
  execArgv: string[];
}

/** The confinement that this system supports. An empty list means that the feature is missing. */
export interface Confinement {
  /** Command prefix that runs a command without a network. */
  withoutNetwork: readonly string[];
  /** Command prefix that ends a command with its parent, and prevents it from gaining privileges. */
  untilParentEnds: readonly string[];
  /** Whether Node has the flags of its permission model. */
  permissionFlags: boolean;
}

let known: Confinement | undefined;

/** Probes once what this system supports. Takes about 10 ms and never throws. */
export function probeConfinement(): Confinement {
  known ??= {
    withoutNetwork: firstThatWorks('unshare', [['--net'], ['--user', '--map-current-user', '--net']]),
    untilParentEnds: firstThatWorks('setpriv', [['--pdeathsig', 'KILL', '--no-new-privs']]),
    permissionFlags: process.allowedNodeEnvironmentFlags.has('--permission'),
  };
  return known;
}

/** Describes missing features for the log. Returns null when nothing is missing. */
export function missingConfinement(found: Confinement): string | null {
  const missing = [
    ...(found.permissionFlags ? [] : ['write access is not limited (Node has no --permission)']),
    ...(found.withoutNetwork.length > 0 ? [] : ['the network is not blocked (unshare --net does not work)']),
    ...(found.untilParentEnds.length > 0 ? [] : ['threads are allowed (setpriv --pdeathsig does not work)']),
  ];
  return missing.length === 0 ? null : missing.join('; ');
}

/**
 * Returns the command that runs Node with `nodeFlags`, as confined as this system allows. Each wrapper command replaces
 * itself with the next one, so the process keeps its id, its parent and its IPC channel.
 */
export function confinedStart(
  { network, writable }: Permissions,
  nodeFlags: readonly string[],
  found: Confinement = probeConfinement(),
): ConfinedStart {
  const commands = [...(network ? [] : found.withoutNetwork), ...found.untilParentEnds];
  const [execPath, ...execArgv] = [...commands, process.execPath, ...nodeFlags] as [string, ...string[]];
  return { execPath, execArgv: [...execArgv, ...permissionFlags(found, network, writable)] };
}

function permissionFlags(found: Confinement, network: boolean, writable: readonly string[]): string[] {
  if (!found.permissionFlags) return [];
  return [
    '--permission',
    '--allow-fs-read=*',
    ...writable.map((directory) => `--allow-fs-write=${join(resolve(directory), '*')}`),
    // Threads can give themselves every permission, so they are allowed only where the watchdog needs one.
    ...(found.untilParentEnds.length > 0 ? [] : ['--allow-worker']),
    ...(network && process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
  ];
}

/** Returns a util-linux command with the first options that work, or an empty list. Each is tried on the command itself. */
function firstThatWorks(name: string, candidates: string[][]): string[] {
  if (process.platform !== 'linux') return [];
  const path = findCommand(name);
  const works = (options: string[]) =>
    path !== null &&
    spawnSync(path, [...options, '--', path, '--version'], { stdio: 'ignore', timeout: 2000 }).status === 0;
  const options = candidates.find(works);
  return path === null || options === undefined ? [] : [path, ...options, '--'];
}

/** System directories of programs. PATH is not used, because it could point to a replaced command. */
const systemDirectories = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

function findCommand(name: string): string | null {
  return systemDirectories.map((directory) => join(directory, name)).find((path) => existsSync(path)) ?? null;
}
