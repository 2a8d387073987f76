import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an upgraded installation must still have. Everything in it was made for the test. */
export interface UpgradeFixture {
  /** Version and, before a release, commit. */
  name: string;
  /** When it was made. The tested service runs at this time, so that links and keys have not expired. */
  at: string;
  secretKey: string;
  account: string;
  key: string;
  endpoint: { id: string; secret: string };
  documents: { draft: string; completed: string; open: string };
  /** The link of the recipient who has not signed `documents.open`. */
  signingPath: string;
  /** SHA-256 of the PDF of `documents.completed`, in hex. */
  sealedSha256: string;
}

const folder = import.meta.dirname;

/** Every stored installation, one per release. */
export function readUpgradeFixtures(): UpgradeFixture[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** Unpacks the backup of `fixture` into `directory`. */
export function unpackBackup({ name }: UpgradeFixture, directory: string): void {
  execFileSync('tar', ['-C', directory, '-xzf', join(folder, `${name}.tar.gz`)]);
}
