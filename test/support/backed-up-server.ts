import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasTool } from './tools.ts';

const versions = '/usr/lib/postgresql';
const isRoot = process.getuid?.() === 0;

/** Directory with Debian's PostgreSQL programs of the newest version. Null when it isn't installed. */
function programs(): string | null {
  const newest = existsSync(versions) ? readdirSync(versions).sort().at(-1) : undefined;
  return newest === undefined ? null : join(versions, newest, 'bin');
}

export const canBackUp = programs() !== null && ['pgbackrest', 'rsync', 'runuser'].every(hasTool);

/** PostgreSQL from Debian, archived by pgBackRest with the settings of the documentation, as operators have it. */
export interface BackedUpServer {
  databaseUrl(name: string): string;
  /** Runs a block of the documentation. `/backups/` is a directory of this server, and so is everything it starts. */
  run(block: string, settings: Record<string, string>): void;
  /** Ends the server at once and removes its data, as a broken disk does. */
  loseData(): void;
  stop(): void;
}

export function startBackedUpServer(serverSettings: string, backupSettings: string): BackedUpServer {
  const root = mkdtempSync(join(tmpdir(), 'countersign-pitr-'));
  const [data, repository, backups, bin] = ['data', 'repository', 'backups', 'bin'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const directory of [repository, backups, bin]) mkdirSync(directory);
  chmodSync(root, 0o755);
  for (const directory of [root, repository]) giveToServer(directory);
  const environment = {
    PATH: `${bin}:${programs()}:${process.env.PATH}`,
    PGHOST: root,
    PGUSER: 'postgres',
    PGBACKREST_CONFIG: join(root, 'pgbackrest.conf'),
    LANG: 'C.UTF-8',
  };
  writeFileSync(environment.PGBACKREST_CONFIG, configured(backupSettings, { root, data, repository }));
  const asUser = isRoot ? 'exec runuser -u "$user" -- "$@"' : 'exec "$@"';
  writeProgram(join(bin, 'sudo'), `[ "$1" = -u ] || exec "$@"\nuser=$2; shift 2; ${asUser}`);
  const control = `sudo -u postgres pg_ctl --silent --wait --pgdata=${data} --log=${root}/log`;
  const systemctl = `[ "$1" = start ] || ${control} status || exit 0\n${control} --mode=fast "$1"`;
  writeProgram(join(bin, 'systemctl'), `case "$*" in *postgresql*) ;; *) exit 0 ;; esac\n${systemctl}`);

  const run = (script: string, settings: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -euo pipefail\n${script}`], {
      env: { ...environment, ...settings },
      encoding: 'utf8',
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (status !== 0)
      throw new Error(`${script}\nended with ${status}: ${stderr}${stdout}\n${endOf(join(root, 'log'))}`);
  };
  run(`sudo -u postgres initdb --pgdata=${data} --username=postgres --auth=trust --encoding=UTF8 --no-sync >/dev/null`);
  const settings = `${serverSettings}\nlisten_addresses = ''\nunix_socket_directories = '${root}'\n`;
  writeFileSync(join(data, 'postgresql.auto.conf'), settings);
  giveToServer(join(data, 'postgresql.auto.conf'));
  run('systemctl start postgresql; createdb countersign');

  return {
    databaseUrl: (name) => `postgresql:///${name}?host=${encodeURIComponent(root)}&user=postgres`,
    run: (block, settings) => run(block.replaceAll('/backups/', `${backups}/`), settings),
    loseData: () => run(`${control} --mode=immediate stop; sudo -u postgres find ${data} -mindepth 1 -delete`),
    stop() {
      run('systemctl stop postgresql');
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** Returns the documented settings with the paths of this server. */
function configured(settings: string, { root, data, repository }: Record<'root' | 'data' | 'repository', string>) {
  const here = settings
    .replace(/^repo1-path=.*$/m, `repo1-path=${repository}`)
    .replace(/^pg1-path=.*$/m, `pg1-path=${data}\npg1-socket-path=${root}`);
  return here.replace('[global]', `[global]\nlog-level-file=off\nlock-path=${root}/lock\nspool-path=${root}/spool`);
}

/** Returns the last lines of a log, or nothing when there is none. */
function endOf(log: string): string {
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-30).join('\n') : '';
}

function giveToServer(path: string): void {
  if (!isRoot) return;
  const { stdout } = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' });
  const group = spawnSync('id', ['-g', 'postgres'], { encoding: 'utf8' });
  chownSync(path, Number(stdout), Number(group.stdout));
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
