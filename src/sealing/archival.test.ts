import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { expect, test } from 'vitest';
import { readClaim } from '../pdf/archival/file-claim.ts';
import { setMetadata } from '../pdf/archival/make-archival.ts';
import { joinPdfs } from '../pdf/joining/join-pdfs.ts';
import { drawCertificatePdf } from './completion/draw-pdf.ts';
import { archivalClaim, archivalFaults } from './testing/archival-faults.ts';
import { archivalFile, archivalSamples, claimOf } from './testing/archival-samples.ts';
import { inputFor, sampleFile, signedFile } from './testing/sample-files.ts';
import { sampleInput } from './testing/sample-input.ts';
import { sealHere } from './testing/seal-here.ts';
import { inspect, temporaryDirectory } from './testing/tools.ts';

test('a sealed PDF that claims PDF/A-3 has what ISO 19005-3 demands, with and without time-stamps', async () => {
  for (const { what, level, bytes } of await archivalSamples()) {
    expect([what, archivalFaults(bytes, level)]).toEqual([what, []]);
    if (!what.startsWith('unsigned'))
      expect([what, inspect(bytes, 'pdfsig')]).toEqual([what, expect.stringContaining('Signature is Valid')]);
  }
});

test('the check of a claim finds what it looks for', async () => {
  const plain = await sampleFile(1, (pdf) => pdf.addAttachment('a.json', Buffer.from('{}')));
  const faults = archivalFaults(plain, 'A').join('\n');
  for (const clause of ['6.2.3', '6.2.11.4.1', '6.6.2.1', '6.6.4', '6.7.2.2', '6.7.3.1', '6.8'])
    expect(faults).toContain(`${clause}:`);
});

test('a file that claims nothing, or what cannot be kept, leads to no claim', async () => {
  const pages = await sampleFile(1);
  const archival = await archivalFile('3', 'B');
  const files: Array<[what: string, file: Buffer]> = [
    ['no claim', pages],
    ['signed', await signedFile(archival)],
    ['encrypted', await encrypted(archival)],
    ['PDF/A-4', await archivalFile('4', 'F')],
    ['a claim that says two things', await archivalFile('3', 'B</pdfaid:conformance><pdfaid:conformance>U')],
    ['other intents', await archivalFile('3', 'B', 'other')],
  ];
  for (const [what, file] of files) {
    const sealed = await sealHere(inputFor(file, 1, [{ value: 'Blue door' }]), file);
    expect([what, archivalClaim(sealed)]).toEqual([what, null]);
    expect([what, inspect(sealed, 'pdfsig')]).toEqual([what, expect.not.stringContaining('Invalid')]);
  }
});

test('a file to which pages are added no longer claims that all of it can be read aloud', async () => {
  for (const claimed of [accessible('pdfuaid'), accessible('u')]) {
    const pdf = await PDF.load(await sampleFile(1));
    setMetadata(pdf, claimed);
    const file = Buffer.from(await pdf.save());
    const sealed = await sealHere(inputFor(file, 1, []), file);
    const newest = sealed.toString('latin1').slice(sealed.toString('latin1').lastIndexOf('<?xpacket begin'));
    expect(newest).not.toMatch(/<(?:pdfuaid|u):part>/);
    expect(newest).toContain('kept as it is');
  }
});

test('joined files have a claim when all of them do, and share their colours', async () => {
  const directory = temporaryDirectory();
  const join2 = async (...files: Buffer[]) => {
    const parts = files.map((_, index) => ({
      path: join(directory, `${index}.pdf`),
      title: `${index}`,
      pageCount: 1,
    }));
    for (const [index, file] of files.entries()) writeFileSync(join(directory, `${index}.pdf`), file);
    const output = join(directory, 'joined.pdf');
    expect(await joinPdfs(parts, output)).toEqual({ ok: true });
    return readFileSync(output);
  };
  const [one, two, gray] = [
    await archivalFile('2', 'U'),
    await archivalFile('3', 'A'),
    await archivalFile('3', 'B', 'gray'),
  ];
  expect(archivalClaim(await join2(one, two))).toBe('3U');
  expect(archivalFaults(await join2(one, two), 'U')).toEqual([]);
  expect(archivalFaults(await join2(gray, gray), 'B')).toEqual([]);
  expect(archivalClaim(await join2(one, await archivalFile('1', 'A')))).toBe('3B');
  expect(archivalClaim(await join2(one, gray))).toBeNull();
  expect(archivalClaim(await join2(one, await sampleFile(1)))).toBeNull();
});

test('a claim is read however it is written', async () => {
  const namespace = 'http://www.aiim.org/pdfa/ns/id/';
  const claims: Array<[xmp: string, expected: unknown]> = [
    [claimOf('2', 'A'), { kind: 'kept', level: 'U' }],
    [`<r:RDF><a xmlns:x.y='${namespace}' x.y:part = '1' x.y:conformance='A'/></r:RDF>`, { kind: 'kept', level: 'B' }],
    [
      `<r:RDF><a xmlns:p="${namespace}"><p:part> 3 </p:part><p:conformance>b</p:conformance></a></r:RDF>`,
      { kind: 'other' },
    ],
    [
      `<r:RDF><a xmlns:p="${namespace}" xmlns:q="${namespace}" p:part="3" q:conformance="B"/></r:RDF>`,
      { kind: 'other' },
    ],
    [`<p:part xmlns:p="${namespace}">${' '.repeat(500_000)}`, { kind: 'other' }],
    [`<a>${'x'.repeat(2 ** 21)}</a>`, { kind: 'other' }],
    ['<x:xmpmeta>\u0000 & not XML', { kind: 'none' }],
    ['', { kind: 'none' }],
  ];
  for (const [xmp, expected] of claims) {
    const pdf = PDF.create();
    setMetadata(pdf, xmp);
    expect([xmp.slice(0, 80), readClaim(pdf)]).toEqual([xmp.slice(0, 80), expected]);
  }
});

test('an equal document has equal metadata, and hostile text stays inside it', async () => {
  const sample = sampleInput();
  const title = '</rdf:RDF><pdfaid:part>1</pdfaid:part>\u0000\u0007\ud800\uffff & "x" \'y\' ]]> \u202e';
  const input = { ...sample, document: { ...sample.document, title } };
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const [first, second] = [await drawCertificatePdf(input), await drawCertificatePdf(input)];
  expect(archivalFaults(Buffer.from(first), 'A')).toEqual([]);
  const packet = (bytes: Uint8Array) =>
    /<\?xpacket begin[\s\S]*<\?xpacket end="r"\?>/.exec(Buffer.from(bytes).toString())?.[0] ?? '';
  expect(packet(first)).toContain('&lt;/rdf:RDF&gt;&lt;pdfaid:part&gt;1&lt;/pdfaid:part&gt;\ufffd &amp; &quot;x&quot;');
  expect(hash(Buffer.from(packet(first)))).toBe(hash(Buffer.from(packet(second))));
});

async function encrypted(file: Buffer): Promise<Buffer> {
  const pdf = await PDF.load(file);
  pdf.setProtection({ userPassword: '', ownerPassword: 'owner' });
  return Buffer.from(await pdf.save());
}

/** Metadata with a claim of PDF/UA-1 and with something else. */
function accessible(prefix: string): string {
  return `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:${prefix}="http://www.aiim.org/pdfua/ns/id/" xmlns:o="https://other.example/">
<${prefix}:part>1</${prefix}:part><o:note>kept as it is</o:note></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}
