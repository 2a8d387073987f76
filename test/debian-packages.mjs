import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Installs Debian packages, as root. Says what failed. */
export function install(packages) {
  const lock = ['-o', 'DPkg::Lock::Timeout=120'];
  run('apt-get', [...lock, 'update', '-qq']);
  withoutServices(() => run('apt-get', [...lock, 'install', '-y', '-qq', '--no-install-recommends', ...packages]));
}

/** Debian would start the servers that it installs, which nobody asked for. */
function withoutServices(install) {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    if (isOurs) rmSync(policy);
  }
}

function run(command, args) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) console.log(`${command} ${args.join(' ')} failed (${status})`);
}

export function isInstalled(program) {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
