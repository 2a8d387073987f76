import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Permissions {
  /** May reach the network. Everything else has none, where the system can take it away. */
  network: boolean;
  /** Directories that it may write to. Everything else on the disk is read-only. */
  writable: readonly string[];
}

/** How to start a process that has only the permissions given. */
export interface ConfinedStart {
  execPath: string;
  execArgv: string[];
}

/** What this system can do. An empty list: nothing. */
export interface Confinement {
  /** The command that runs another one without a network. */
  withoutNetwork: readonly string[];
  /** The command that runs another one until its parent ends, and lets it gain no privileges. */
  untilParentEnds: readonly string[];
  /** Flags of Node's permission model. */
  permissionFlags: boolean;
}

let known: Confinement | undefined;

/** Finds out once what this system can do. Takes some 10 ms, and never fails. */
export function probeConfinement(): Confinement {
  known ??= {
    withoutNetwork: firstThatWorks('unshare', [['--net'], ['--user', '--map-current-user', '--net']]),
    untilParentEnds: firstThatWorks('setpriv', [['--pdeathsig', 'KILL', '--no-new-privs']]),
    permissionFlags: process.allowedNodeEnvironmentFlags.has('--permission'),
  };
  return known;
}

/** Says what is missing, for the log. Null: nothing. */
export function missingConfinement(found: Confinement): string | null {
  const missing = [
    ...(found.permissionFlags ? [] : ['write access is not limited (Node has no --permission)']),
    ...(found.withoutNetwork.length > 0 ? [] : ['the network is not taken away (unshare --net does not work)']),
    ...(found.untilParentEnds.length > 0 ? [] : ['threads are allowed (setpriv --pdeathsig does not work)']),
  ];
  return missing.length === 0 ? null : missing.join('; ');
}

/**
 * Returns how to run Node with `nodeFlags`, confined as far as this system can. Each command replaces itself with the next
 * one, so the process keeps its id, its parent and its IPC channel.
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
    // A thread can give itself every permission, so it is allowed only where the watchdog needs one.
    ...(found.untilParentEnds.length > 0 ? [] : ['--allow-worker']),
    ...(network && process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
  ];
}

/** A command of util-linux with the first options that it can run itself with. */
function firstThatWorks(name: string, candidates: string[][]): string[] {
  if (process.platform !== 'linux') return [];
  const path = findCommand(name);
  const works = (options: string[]) =>
    path !== null &&
    spawnSync(path, [...options, '--', path, '--version'], { stdio: 'ignore', timeout: 2000 }).status === 0;
  const options = candidates.find(works);
  return path === null || options === undefined ? [] : [path, ...options, '--'];
}

/** Where the system has its own programs. PATH is not used: anyone who sets it could choose what confines a process. */
const systemDirectories = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

function findCommand(name: string): string | null {
  return systemDirectories.map((directory) => join(directory, name)).find((path) => existsSync(path)) ?? null;
}
