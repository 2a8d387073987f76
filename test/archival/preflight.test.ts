import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archivalFile, archivalSamples } from '../../src/sealing/testing/archival-samples.ts';
import { sampleFile } from '../../src/sealing/testing/sample-files.ts';
import { temporaryDirectory } from '../../src/sealing/testing/tools.ts';

/** Preflight, the validator of Apache PDFBox, and what it needs. `npm run test:full` installs them. */
const jars = [
  'preflight',
  'pdfbox2',
  'fontbox2',
  'xmpbox',
  'commons-logging',
  'commons-io',
  'jaxb-api',
  'javax.activation',
].map((name) => `/usr/share/java/${name}.jar`);
const isInstalled = jars.every((jar) => existsSync(jar)) && spawnSync('java', ['-version']).status === 0;

/**
 * Preflight validates PDF/A-1b. These are its findings that PDF/A-1 forbids and PDF/A-3 allows. The clauses are those of ISO 19005-3.
 */
const allowedInPart3 = [
  /^1\.2\.9 : .*EmbeddedFile entry/, // 6.8: embedded files
  /^1\.4\.7 : .*EmbeddedFile entry/, // 6.8: their list
  /^2\.2\.2 : .*Soft Mask/, // 6.2.10: transparency, here that of drawn signatures
  /^3\.1\.11 : .*CIDSet entry is missing/, // 6.2.11.4.2: may be left out
  /^5\.3\.1 : .*widget annotation lacks an appearance/, // 6.3.3: not needed without an area, as the seal's field is
  /^7\.11\.1 : .*conformance level must be A or B/, // 6.6.4: U is a level too
  /^7\.11\.2 : .*part must be 1/, // 6.6.4: the part is 3
];

test.skipIf(!isInstalled)('Preflight finds nothing that PDF/A-3 forbids, with and without time-stamps', async () => {
  for (const { what, bytes } of await archivalSamples()) expect([what, findings(bytes)]).toEqual([what, []]);
  expect(findings(await archivalFile('1', 'B'))).toEqual([]);
  const codes = findings(await sampleFile(1)).map((finding) => finding.split(' ')[0]);
  expect(codes).toEqual(expect.arrayContaining(['3.1.3', '7.1']));
});

function findings(bytes: Buffer): string[] {
  const file = join(temporaryDirectory(), 'file.pdf');
  writeFileSync(file, bytes);
  const validator = 'org.apache.pdfbox.preflight.Validator_A1b';
  const { stdout, stderr } = spawnSync('java', ['-cp', jars.join(':'), validator, file], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const [verdict = '', ...found] = stdout.split('\n').filter((line) => line !== '');
  if (!/is (not )?a valid PDF\/A-1b file/.test(verdict)) throw new Error(`no verdict: ${stdout}${stderr}`);
  return found.filter((finding) => !allowedInPart3.some((allowed) => allowed.test(finding)));
}
