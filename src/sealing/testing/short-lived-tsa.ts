import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './tools.ts';

/** How the authority answers: as it should, with an error, never, with something else, or with a signature that does not hold. */
type Manner = 'good' | 'down' | 'silent' | 'rubbish' | 'unsigned';

/** A time-stamp authority with its own time, whose certificate can be replaced. */
export interface ShortLivedTsa {
  url: string;
  /** Path of the certificate of the root, which is valid for 40 years. */
  root: string;
  /** Replaces its certificate by one that is valid for so many days from its present time. */
  issue(days: number): void;
  manner: Manner;
  /** How many time-stamps it was asked for. */
  asked: number;
}

/** Starts an authority that lives at the time of `clock`. Needs OpenSSL and faketime. Its first certificate is valid for `days`. */
export async function startShortLivedTsa(clock: { now(): Date }, days: number): Promise<ShortLivedTsa> {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  // Local time, which stands still: a certificate must not begin after the time-stamps that follow.
  const at = () => {
    const now = clock.now();
    const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
    return local.toISOString().slice(0, 19).replace('T', ' ');
  };
  const then = (...args: string[]) =>
    execFileSync('faketime', ['-f', at(), 'openssl', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const newKey = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes'];
  then(
    ...[...newKey, '-days', '14600', '-subj', '/CN=Root of time'],
    ...['-keyout', path('root.key'), '-out', path('root.pem')],
  );
  writeFileSync(path('serial'), '01\n');
  writeFileSync(path('tsa.cnf'), configuration(directory));

  const tsa: ShortLivedTsa = {
    url: '',
    root: path('root.pem'),
    issue(validDays) {
      then(
        ...[...newKey, '-days', String(validDays), '-subj', `/CN=Time for ${validDays} days`],
        ...['-CA', path('root.pem'), '-CAkey', path('root.key'), '-addext', 'basicConstraints=critical,CA:false'],
        ...['-addext', 'extendedKeyUsage=critical,timeStamping', '-keyout', path('tsa.key'), '-out', path('tsa.pem')],
      );
    },
    manner: 'good',
    asked: 0,
  };
  tsa.issue(days);

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    tsa.asked += 1;
    if (tsa.manner === 'silent') return;
    if (tsa.manner === 'down') return response.writeHead(503).end();
    writeFileSync(path('query.tsq'), Buffer.concat(parts));
    const reply = then('ts', '-reply', '-config', path('tsa.cnf'), '-queryfile', path('query.tsq'));
    // The signature is in the last bytes.
    if (tsa.manner === 'unsigned') reply.writeUInt8(255 - reply.readUInt8(reply.length - 9), reply.length - 9);
    const body = tsa.manner === 'rubbish' ? '<html>Maintenance</html>' : reply;
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  tsa.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return tsa;
}

function configuration(directory: string): string {
  return `[tsa]
default_tsa = tsa1
[tsa1]
dir = ${directory}
serial = ${directory}/serial
signer_cert = ${directory}/tsa.pem
signer_key = ${directory}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`;
}
