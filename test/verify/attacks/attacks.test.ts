import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCertificatesUsed } from '../../../src/pdf/signatures/certificates-used.ts';
import { stampPdf } from '../../../src/pdf/signatures/stamp-pdf.ts';
import { createLog } from '../../../src/platform/log.ts';
import { sampleFile } from '../../../src/sealing/testing/sample-files.ts';
import { inspect } from '../../../src/sealing/testing/tools.ts';
import { startTsa } from '../../../src/sealing/testing/tsa-server.ts';
import { createVerifier, type Verifier } from '../../../src/verify/create-verifier.ts';
import { type Company, createCompany, startTestService, type TestService } from '../../support/service.ts';
import { hasTool } from '../../support/tools.ts';
import { postPdf, sealedDocument, sealedFile } from '../sealed.ts';
import { certifications } from './certified.ts';
import { shadows } from './shadows.ts';
import { type Attack, forgeries, savings, wanted, wrappings } from './spoofing.ts';

let app: TestService;
let company: Company;
/** Judges like an installation that has our certificate and no record of the file. */
let elsewhere: Verifier;
let genuine: Record<string, Buffer>;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  const certificates = () => readCertificatesUsed(join(app.dataDir, 'certificates'));
  elsewhere = createVerifier({ certificates, sealedFiles: null, anchors: [], log: createLog('silent') });
  const [drawn, attached] = [await sealedDocument(app, company), await sealedFile(app, company, await sampleFile(1))];
  genuine = { drawn: drawn.pdf, attached: attached.pdf };
});
afterAll(async () => {
  await elsewhere.close();
  await app.stop();
});

async function verdictsOn(pdf: Buffer): Promise<string[]> {
  const path = join(app.dataDir, 'attacked.pdf');
  writeFileSync(path, pdf);
  return [(await postPdf(app, pdf)).body.verdict, (await elsewhere.examine(path)).verdict];
}

test('what the attacks start from is valid', async () => {
  for (const pdf of Object.values(genuine)) expect(await verdictsOn(pdf)).toEqual(['valid', 'valid']);
});

const attacks = { ...forgeries, ...savings, ...wrappings, ...certifications };

for (const [name, attack] of Object.entries(attacks)) {
  test(name, async () => {
    for (const [kind, pdf] of Object.entries(genuine)) {
      const attacked = await attack(pdf);
      expect(attacked.equals(pdf), kind).toBe(false);
      expect(await verdictsOn(attacked), kind).not.toContain('valid');
    }
  });
}

test.runIf(hasTool('openssl'))('no attack succeeds on a file that was time-stamped after sealing', async () => {
  const tsaUrl = await startTsa();
  for (const [kind, pdf] of Object.entries(genuine)) {
    const stamped = Buffer.from((await stampPdf(pdf, tsaUrl)).file);
    expect(await verdictsOn(stamped), kind).toEqual(['valid', 'valid']);
    for (const [name, attack] of Object.entries(attacks)) {
      const attacked = await attack(stamped);
      if (!attacked.equals(stamped)) expect(await verdictsOn(attacked), `${kind}: ${name}`).not.toContain('valid');
    }
  }
});

/** These change what readers show. The others change what readers report about the signature. */
const showing = [
  ...['USF: no /ByteRange in a later copy of the signature', 'USF: no /Contents in a later copy of the signature'],
  ...['ISA: an update', 'ISA: an update with a copy of the signature'],
  'ISA: a copy of the signature whose range ends with the file',
  ...['SWA: the second part moved, with the range changed', 'SWA: the second part moved, with the range as it was'],
  'SWA: the signed file as a stream inside another',
  ...Object.keys(certifications).filter((name) => name !== 'SSA: a second signature'),
];

test.runIf(hasTool('pdftotext')).each(showing)("a reader shows the attacker's words: %s", async (name) => {
  const attack = attacks[name] as Attack;
  for (const [kind, pdf] of Object.entries(genuine)) {
    expect(wordsOf(pdf), kind).not.toContain(wanted);
    expect(wordsOf(await attack(pdf)), kind).toContain(wanted);
  }
});

/** Returns the words that `pdftotext` reads, in the order of the file. */
function wordsOf(pdf: Buffer): string {
  return inspect(pdf, 'pdftotext', ['-raw'], ['-']).replace(/\s+/g, ' ');
}

for (const [name, { file, after }] of Object.entries(shadows)) {
  test(name, async () => {
    const { pdf } = await sealedFile(app, company, file);
    expect(await verdictsOn(pdf)).toEqual(['valid', 'valid']);
    expect(await verdictsOn(await after(pdf))).toEqual(['altered', 'altered']);
  });
}
