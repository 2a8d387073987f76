import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export interface ProductionPackage {
  /** Its path: `node_modules/…`. */
  path: string;
  name: string;
  version: string;
  /** The licence in package-lock.json, if any. */
  license: string | null;
}

/** The packages of package-lock.json that a production install may get, for every platform, sorted by path. */
export function productionPackages(): ProductionPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; license?: string; dev?: boolean; name?: string }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '', license = null, name }]) => ({
      path,
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
