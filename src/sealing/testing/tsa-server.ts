import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openssl, temporaryDirectory } from './tools.ts';

/** Starts an RFC 3161 time-stamp authority: OpenSSL behind HTTP on the loopback. Returns its URL. */
export async function startTsa(): Promise<string> {
  return (await startTsaOf()).url;
}

/** Like `startTsa`, but also returns the path of its certificate. `issue` can replace the self-signed certificate and key. */
export async function startTsaOf(
  issue: (path: (name: string) => string) => void = () => {},
  port = 0,
): Promise<{ url: string; certificate: string }> {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  writeFileSync(path('tsa.cnf'), configuration(directory));
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650', '-subj', '/CN=Test TSA'],
    ...['-addext', 'extendedKeyUsage=critical,timeStamping'],
    ...['-keyout', path('tsa.key'), '-out', path('tsa.pem')],
  );
  issue(path);
  writeFileSync(path('serial'), '01\n');

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    writeFileSync(path('query.tsq'), Buffer.concat(parts));
    const reply = execFileSync(
      'openssl',
      ['ts', '-reply', '-config', path('tsa.cnf'), '-queryfile', path('query.tsq')],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(reply);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, certificate: path('tsa.pem') };
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
