import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openssl } from '../../src/sealing/testing/tools.ts';
import { startTsaOf } from '../../src/sealing/testing/tsa-server.ts';
import { createCompany, startTestService, TestClock, type TestService } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { postPdf, sealedDocument } from './sealed.ts';

let app: TestService | undefined;
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

/** Returns the findings about the time stamp of a document that was sent `daysAhead` days from now. */
async function stampFound(tsaUrl: string, trusted: string | null, daysAhead = 0): Promise<unknown[]> {
  const clock = new TestClock();
  clock.advance({ seconds: Math.round((Date.now() - clock.now().getTime()) / 1000), days: daysAhead });
  const env = { TSA_URL: tsaUrl, ...(trusted !== null && { TSA_TRUST_FILE: trusted }) };
  app = await startTestService({ clock, env });
  const { pdf } = await sealedDocument(app, await createCompany(app));
  const { body } = await postPdf(app, pdf);
  await app.stop();
  app = undefined;
  const stamp = body.findings.find(({ id }: { id: string }) => id.startsWith('time_stamp'));
  return [body.verdict, stamp.id, stamp.ok, body.seal.time_stamp.verified];
}

const verified = ['valid', 'time_stamped', true, true];
const unverified = ['valid', 'time_stamp_unverified', null, false];

test.runIf(hasTool('openssl'))('a time-stamp is verified when its authority is trusted, and only then', async () => {
  const { url, certificate } = await startTsaOf();
  expect(await stampFound(url, certificate)).toEqual(verified);
  expect(await stampFound(url, null)).toEqual(unverified);
});

test.runIf(hasTool('openssl'))('a time before the sending, or after now, is unverified', async () => {
  const { url, certificate } = await startTsaOf();
  expect(await stampFound(url, certificate, 1)).toEqual(unverified);
  expect(await stampFound(url, certificate, -1)).toEqual(unverified);
});

test.runIf(hasTool('openssl'))('an authority must be issued for time-stamps, by an authority', async () => {
  const trusted: { root: string } = { root: '' };
  /** Issued by a trusted root, or with `between` by a certificate of that root that must not issue any. */
  const issued = (purpose: string, between: boolean) => (path: (name: string) => string) => {
    trusted.root = path('root.pem');
    const make = (name: string, ...more: string[]) =>
      openssl(
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650', '-subj', `/CN=${name}`, ...more],
        ...['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)],
      );
    const by = (name: string) => ['-CA', path(`${name}.pem`), '-CAkey', path(`${name}.key`)];
    const noAuthority = ['-addext', 'basicConstraints=critical,CA:false'];
    make('root');
    if (between) make('web', ...by('root'), ...noAuthority);
    make('tsa', ...by(between ? 'web' : 'root'), ...noAuthority, '-addext', `extendedKeyUsage=${purpose}`);
  };
  const good = await startTsaOf(issued('critical,timeStamping', false));
  expect(await stampFound(good.url, trusted.root)).toEqual(verified);
  const other = await startTsaOf(issued('critical,timeStamping', true));
  expect(await stampFound(other.url, trusted.root)).toEqual(unverified);
});

test('a trust file that is not there, empty or damaged stops the start', async () => {
  const file = join(tmpdir(), `countersign-trust-${process.pid}.pem`);
  const start = (path: string) => startTestService({ env: { TSA_TRUST_FILE: path } });
  await expect(start('/nowhere/trust.pem')).rejects.toThrow(/bad setting TSA_TRUST_FILE: .* does not exist/);
  writeFileSync(file, '');
  await expect(start(file)).rejects.toThrow(/must hold certificates in PEM/);
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  await expect(start(file)).rejects.toThrow(/damaged certificate/);
});
