import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productionPackages, root } from './production-packages.ts';

/** SHA-256 by path within the package, by `package@version`. */
export type Checksums = Record<string, Record<string, string>>;

export const checksumsFile = join(import.meta.dirname, 'binaries.json');

/** ELF, Mach-O (either byte order, and universal), PE, WebAssembly. */
const magics = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe', '4d5a', '0061736d'];

/** Hashes every native and WebAssembly binary of the production packages installed here. */
export function installedChecksums(): Checksums {
  const checksums: Checksums = {};
  for (const { path, name, version } of productionPackages()) {
    const directory = join(root, path);
    if (!existsSync(directory)) continue; // for another platform
    const found = Object.fromEntries(binariesIn(directory, '').map((file) => [file, sha256(join(directory, file))]));
    if (Object.keys(found).length > 0) checksums[`${name}@${version}`] = found;
  }
  return checksums;
}

export function committedChecksums(): Checksums {
  return existsSync(checksumsFile) ? JSON.parse(readFileSync(checksumsFile, 'utf8')) : {};
}

/** Leaves out symbolic links and nested packages, which are listed separately. */
function binariesIn(directory: string, below: string): string[] {
  return readdirSync(join(directory, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : binariesIn(directory, path);
      return entry.isFile() && isBinary(join(directory, path)) ? [path] : [];
    });
}

function isBinary(file: string): boolean {
  if (/\.(js|mjs|cjs|ts|json|md|map|css|txt|ttf|woff2?)$/.test(file)) return false;
  const head = readFileSync(file).subarray(0, 4).toString('hex');
  return magics.some((magic) => head.startsWith(magic));
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
