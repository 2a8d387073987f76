import { writeFileSync } from 'node:fs';
import { checksumsFile, committedChecksums, installedChecksums } from './binaries.ts';
import { licencesFile, renderLicences } from './licences.ts';
import { productionPackages } from './production-packages.ts';

/** `node renew.ts licences|binaries`: writes the list that the test compares with. */
const what = process.argv[2];
if (what === 'licences') writeFileSync(licencesFile, renderLicences());
else if (what === 'binaries') {
  // Packages for other platforms keep their entries while package-lock.json has that version.
  const known = new Set(productionPackages().map(({ name, version }) => `${name}@${version}`));
  const kept = Object.entries(committedChecksums()).filter(([id]) => known.has(id));
  const all = Object.entries({ ...Object.fromEntries(kept), ...installedChecksums() });
  const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(checksumsFile, `${JSON.stringify(sorted, null, 2)}\n`);
} else throw new Error('say licences or binaries');
