import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ContentInfo, CryptoEngine, SignedData } from 'pkijs';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { sampleInput, sampleRecipient } from './testing/sample-input.ts';
import { drawnSignature } from './testing/sample-png.ts';
import { attributesOf, signatureOf } from './testing/signature-of.ts';
import { inspect, openssl, pdfText, temporaryDirectory, testCertificate, testWorker } from './testing/tools.ts';
import { startTsa } from './testing/tsa-server.ts';

function expectSound(pdf: Uint8Array): void {
  expect(inspect(pdf, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors found');
  const signature = inspect(pdf, 'pdfsig');
  expect(signature).toContain('Signature Validation: Signature is Valid.');
  expect(signature).toContain('Total document signed');
  expect(signature).toContain('ETSI.CAdES.detached');
}

test('a sealed PDF is valid and fully signed, and its certificate of completion is complete', async () => {
  const input = sampleInput();
  const pdf = await (await testWorker()).seal(input);
  expectSound(pdf);

  // In the order of drawing, because two recipients stand next to each other.
  const text = inspect(pdf, 'pdftotext', ['-raw'], ['-']).replace(/\s+/g, ' ');
  for (const expected of [
    input.document.title,
    input.document.id,
    input.document.contentSha256,
    'Certificate of completion',
    'Ana María Núñez',
    'Jonathan Whitfield',
    'General contractor',
    'SMS code to …99, verified March 14, 2026, 10:21:05 UTC',
    'Electronic signature disclosure 2026-11, accepted March 14, 2026, 10:22:31 UTC',
    '203.0.113.42',
    'Safari 18, iPhone',
    'maria@northwind.example',
    'Check this document at https://sign.northwind.example/verify.',
    'accepted by the mail server March 12, 2026, 15:04:04 UTC',
    'verified March 14, 2026, 10:21:05 UTC, after 1 wrong code',
    'Typed name',
    'Drawn by hand',
    createHash('sha256').update(drawnSignature()).digest('hex'),
    'Electronic signature disclosure 2026-11',
    ...input.disclosures.flatMap(({ points }) => points),
    'March 14, 2026, 10:22:31 UTC',
    'Page 1 of',
  ]) {
    expect(text).toContain(expected);
  }
  for (const entry of input.audit) expect(text).toContain(entry.hash);
  expect(inspect(pdf, 'pdfinfo')).toMatch(/Title:\s+Kitchen remodel, 12 Alder Street/);
});

test('the trail leaves out what the certificate has above it, and prints what differs', async () => {
  const { recipients, audit } = sampleInput();
  const [ana] = recipients;
  if (ana === undefined) throw new Error('no recipient');
  const viewed = (at: number, ip: string, userAgent: string) => ({
    ...(audit[at] as (typeof audit)[number]),
    actor: `recipient:${ana.id}`,
    action: 'viewed',
    detail: { name: ana.name, ip, user_agent: userAgent },
  });
  const trail = [viewed(0, String(ana.ip), String(ana.userAgent)), viewed(1, '198.51.100.7', 'Other/1.0')];
  const pdf = await (await testWorker()).seal(sampleInput({ audit: trail }));
  const [, printed = ''] = inspect(pdf, 'pdftotext', ['-raw'], ['-']).split('Audit trail');
  expect(printed).not.toContain(ana.ip);
  expect(printed).not.toContain('Mozilla');
  expect(printed.replace(/\s+/g, ' ')).toContain(
    'Viewed · Ana María Núñez · IP address: 198.51.100.7 · browser: Other/1.0',
  );
});

test('the QR code of the certificate leads to the page that checks it', async () => {
  const input = sampleInput();
  const pdf = await (await testWorker()).seal(input);
  const prefix = join(temporaryDirectory(), 'page');
  inspect(pdf, 'pdftoppm', ['-r', '150', '-f', '2', '-l', '2', '-singlefile'], [prefix]);
  expect(decodeQR(readPixmap(readFileSync(`${prefix}.ppm`)))).toBe(input.verifyAddress);
});

/** Reads a binary PPM as `pdftoppm` writes it. */
function readPixmap(file: Buffer): { width: number; height: number; data: Uint8Array } {
  const [, header = '', width, height] = /^(P6\n(\d+) (\d+)\n255\n)/.exec(file.toString('latin1', 0, 40)) ?? [];
  return { width: Number(width), height: Number(height), data: file.subarray(header.length) };
}

test('every page of a document that was sent in test mode says so', async () => {
  const { document } = sampleInput();
  const worker = await testWorker();
  const pagesOf = async (isTest: boolean) =>
    pdfText(await worker.seal(sampleInput({ document: { ...document, isTest } })))
      .split('\f')
      .slice(0, -1);
  const [tested, real] = await Promise.all([pagesOf(true), pagesOf(false)]);
  expect(tested.length).toBeGreaterThan(1);
  for (const page of tested) expect(page).toContain('TEST MODE · NOT A REAL SIGNATURE');
  expect(real.join()).not.toContain('TEST MODE');
  expect(real.join()).toContain('Personal link sent by e-mail');
  expect(tested.join()).not.toContain('Personal link sent by e-mail');
  expect(tested.join()).toContain('Personal link, not sent');
});

test('the signature is PAdES: it names its certificate, its reason and its signer, and OpenSSL agrees', async () => {
  const certificate = await testCertificate();
  const pdf = await (await testWorker({ certificate })).seal(sampleInput());
  const { cms, signedBytes, dictionary } = signatureOf(pdf);
  const name = Buffer.from('\ufeffNorthwind Builders LLC', 'utf16le').swap16().toString('hex');
  expect(dictionary.toLowerCase()).toContain(`/name <${name}>`.toLowerCase());
  expect(dictionary).toContain('/Reason (Completed by everyone');
  const signingCertificateV2 = '1.2.840.113549.1.9.16.2.47';
  expect(attributesOf(cms).signed).toContain(signingCertificateV2);

  const directory = temporaryDirectory();
  const path = (file: string) => join(directory, file);
  writeFileSync(path('cms'), cms);
  writeFileSync(path('content'), signedBytes);
  openssl('pkcs12', '-in', certificate.file, '-passin', `pass:${certificate.password}`, '-nokeys', '-out', path('ca'));
  const trust = ['-CAfile', path('ca'), '-partial_chain', '-no_check_time', '-purpose', 'any'];
  const files = ['-in', path('cms'), '-content', path('content'), '-out', path('out')];
  openssl('cms', '-verify', '-cades', '-inform', 'DER', '-binary', ...trust, ...files);
});

test('a second signature library accepts the seal, but not after a byte is changed', async () => {
  const { cms, signedBytes } = signatureOf(await (await testWorker()).seal(sampleInput()));
  const signed = new SignedData({ schema: ContentInfo.fromBER(cms).content });
  // Opening some certificate files in this process gives pkijs an engine of libpdf, whose `digest` takes no names.
  const engine = new CryptoEngine({ crypto: globalThis.crypto });
  const verify = (data: Buffer) => signed.verify({ signer: 0, data: Uint8Array.from(data).buffer }, engine);
  expect(await verify(signedBytes)).toBe(true);
  signedBytes[1000] = (signedBytes[1000] ?? 0) ^ 1;
  expect(await verify(signedBytes).catch(() => false)).toBe(false);
});

test('the signed content is embedded, with the hash that is printed', async () => {
  const input = sampleInput();
  const pdf = await (await testWorker()).seal(input);
  const directory = temporaryDirectory();
  inspect(pdf, 'pdfdetach', ['-saveall', '-o', directory]);
  const content = readFileSync(join(directory, 'content.json'));
  expect(createHash('sha256').update(content).digest('hex')).toBe(input.document.contentSha256);
  expect(readFileSync(join(directory, 'audit.json'), 'utf8')).toBe('[]');
});

test('a changed byte anywhere breaks the signature', async () => {
  const pdf = await (await testWorker()).seal(sampleInput());
  const places = [20, Math.floor(pdf.length / 3), Math.floor(pdf.length / 2), pdf.length - 200];
  for (const place of places) {
    const tampered = Uint8Array.from(pdf);
    tampered[place] = (tampered[place] ?? 0) ^ 1;
    expect(inspect(tampered, 'pdfsig')).not.toContain('Signature is Valid.');
  }
});

test('a Spanish document is entirely in Spanish and on A4', async () => {
  const sample = sampleInput();
  const document = { ...sample.document, type: 'letter', title: 'Carta de encargo: reforma de la calle Alcalá, 118' };
  const pdf = await (await testWorker()).seal(sampleInput({ language: 'es', document }));
  expectSound(pdf);
  const text = pdfText(pdf);
  for (const expected of [
    'Certificado de finalización',
    'Registro de auditoría',
    '14 de marzo de 2026',
    'Página 1 de',
  ]) {
    expect(text).toContain(expected);
  }
  expect(text).not.toMatch(/Signed|Sent by|Audit trail|Document ID/);
  expect(inspect(pdf, 'pdfinfo')).toContain('A4');
});

test('names in every script are drawn or boxed, and are in the text of the PDF', async () => {
  const names = [
    'Zoë Świętosławski-Þórðarson',
    'Nguyễn Thị Hồng Nhung',
    'Дмитрий Шостакович',
    'Ελένη Παπαδοπούλου',
    '山田太郎',
    '王小明',
    '김민준',
    'שלמה כהן',
    'Party 🎉 Person',
    'สมชาย น้ำทิพย์',
    'नरेन्द्र श्रीवास्तव',
    '\u{10ffff}\u{e000}',
    'X',
    'A\u0301\u0323\u0335\u20dd',
  ];
  const recipients = names.map((name, i) => sampleRecipient(i + 1, { name }));
  const pdf = await (await testWorker()).seal(sampleInput({ recipients }));
  expectSound(pdf);
  const text = pdfText(pdf).normalize('NFKC');
  for (const name of names.slice(0, 11)) expect(text).toContain(name.normalize('NFKC'));
  expect(inspect(pdf, 'pdffonts')).not.toMatch(/ no {2}\w+ +\w+ +\d+ +0$/m);
});

test('a document of the maximum length is drawn in full, over several pages', async () => {
  const wide = 'W'.repeat(120);
  const recipients = Array.from({ length: 20 }, (_, i) =>
    sampleRecipient(i + 1, {
      name: i === 0 ? wide : `Person ${i} ${'de la Cruz y Ramírez '.repeat(5)}`.slice(0, 120),
      role: 'R'.repeat(60),
      email: `${'x'.repeat(64)}@${'sub.'.repeat(44)}example.com`.slice(0, 254),
      userAgent: 'Mozilla/5.0 '.repeat(700),
      signature:
        i % 2
          ? { kind: 'drawn', png: drawnSignature(300 + i * 60, 100 + i * 10).toString('base64') }
          : { kind: 'typed', text: wide },
    }),
  );
  const sample = sampleInput({ recipients });
  const title = 'Endlessly long title '.repeat(10).slice(0, 200);
  const message = `${'word '.repeat(150)}\n\n${'x'.repeat(1200)}\r\nlast line`;
  const input = { ...sample, document: { ...sample.document, title, message } };
  input.audit[0] = { ...(input.audit[0] as (typeof input.audit)[0]), detail: { reason: 'long '.repeat(2000) } };
  const pdf = await (await testWorker()).seal(input);
  expectSound(pdf);
  const text = pdfText(pdf);
  expect(text).toContain('last line');
  expect(text.match(/W/g)?.length).toBeGreaterThanOrEqual(3 * 120);
  for (const entry of input.audit) expect(text).toContain(entry.hash);
});

test('texts of many short lines run off no page of the certificate', async () => {
  const lines = (what: string) => `${what} begins\n${'x\n'.repeat(120)}${what} ends`;
  const sample = sampleInput();
  const input = { ...sample, document: { ...sample.document, title: lines('Title') } };
  input.audit[0] = { ...(input.audit[0] as (typeof input.audit)[0]), detail: { reason: lines('Reason') } };
  const pdf = await (await testWorker()).seal(input);
  expectSound(pdf);
  const [, certificate = ''] = pdfText(pdf).split('Certificate of completion');
  for (const end of ['Title ends', 'Reason ends']) expect(certificate).toContain(end);
});

test('titles, names and messages that look like PDF syntax are drawn as text', async () => {
  const hostile = '/ByteRange [0 0 0 0] /Contents <00> >> endobj (\\) %%EOF\u202e stream';
  const sample = sampleInput({
    accountName: hostile,
    recipients: [sampleRecipient(1, { name: hostile, role: hostile })],
  });
  const input = { ...sample, document: { ...sample.document, title: hostile, message: hostile } };
  input.attachments.push({ name: '/ByteRange).json', mediaType: 'text/plain', description: hostile, bytes: '' });
  const pdf = await (await testWorker()).seal(input);
  expectSound(pdf);
  expect(pdfText(pdf)).toContain('/ByteRange [0 0 0 0]');
});

test('a document without message, recipients, audit trail or attachments can be sealed', async () => {
  const sample = sampleInput({ recipients: [], audit: [], attachments: [] });
  const pdf = await (await testWorker()).seal({
    ...sample,
    document: { ...sample.document, message: null, type: 'new_type' },
  });
  expectSound(pdf);
});

test.each([1, 2, 3])('the certificate has every file of %i recipients who sent twenty each', async (count) => {
  const files = (of: number) =>
    Array.from({ length: 20 }, (_, index) => ({
      name: `${'A long name of a file that is needed '.repeat(3)}${of}-${index}.pdf`,
      bytes: 1000,
      sha256: createHash('sha256').update(`${of} ${index}`).digest('hex'),
    }));
  const recipients = Array.from({ length: count }, (_, of) => sampleRecipient(of + 1, { files: files(of) }));
  const pdf = await (await testWorker()).seal(sampleInput({ recipients }));
  expectSound(pdf);
  const text = inspect(pdf, 'pdftotext', ['-bbox'], ['-']);
  for (const { sha256 } of recipients.flatMap((recipient) => recipient.files ?? [])) expect(text).toContain(sha256);
  const pages = text.split('<page ').slice(1);
  for (const page of pages) {
    const height = Number(/height="([\d.]+)"/.exec(page)?.[1]);
    for (const [, bottom] of page.matchAll(/yMax="([\d.]+)">/g)) expect(Number(bottom)).toBeLessThan(height - 20);
  }
});

test('with a time-stamp authority the signature contains its time-stamp (PAdES B-T)', async () => {
  const worker = await testWorker({ tsaUrl: await startTsa() });
  const pdf = await worker.seal(sampleInput());
  expectSound(pdf);
  const signatureTimeStampToken = '1.2.840.113549.1.9.16.2.14';
  expect(attributesOf(signatureOf(pdf).cms).unsigned).toContain(signatureTimeStampToken);
});

test('sealing fails when the time-stamp authority is down or its answer is invalid', async () => {
  const server = createServer((_, response) => response.end('<html>maintenance</html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tsaUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const worker = await testWorker({ tsaUrl });
  await expect(worker.seal(sampleInput())).rejects.toThrow('no time-stamp from the authority at 127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
  await expect(worker.seal(sampleInput())).rejects.toThrow('no time-stamp from the authority at 127.0.0.1');
});

test('a drawing that is not a PNG fails its job with a clear error', async () => {
  const worker = await testWorker();
  const broken = sampleRecipient(1, { signature: { kind: 'drawn', png: Buffer.from('GIF89a').toString('base64') } });
  await expect(worker.seal(sampleInput({ recipients: [broken] }))).rejects.toThrow('the image is not a PNG');
  expectSound(await worker.seal(sampleInput()));
});
