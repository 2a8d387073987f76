import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SigningCertificateFile } from '../../pdf/signatures/signing-certificate.ts';
import { openssl, temporaryDirectory } from './tools.ts';

export interface CertificateAuthority {
  /** A signing certificate that it issued. */
  certificate: SigningCertificateFile;
  /** The path of its own certificate. */
  ca: string;
  /** The paths that were asked for. */
  asked: string[];
  /** Issues a certificate. Writes it and its key to two paths. */
  issue(subject: string, key: string, certificate: string, extensions?: readonly string[]): void;
}

/** Starts a certificate authority, OpenSSL behind HTTP, with a revocation list and an OCSP responder. */
export async function startAuthority(says: { ocsp: boolean; crl: boolean }): Promise<CertificateAuthority> {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.url === '/crl' && says.crl) return response.end(crl());
    if (request.url !== '/ocsp' || !says.ocsp) return response.writeHead(503).end();
    writeFileSync(path('request'), Buffer.concat(parts));
    const signer = ['-rsigner', path('ca.pem'), '-rkey', path('ca.key'), '-CA', path('ca.pem')];
    const files = ['-index', path('index.txt'), '-reqin', path('request'), '-respout', path('response')];
    openssl('ocsp', ...signer, ...files, '-ndays', '7');
    response.end(readFileSync(path('response')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '365'];
  const ca = ['-subj', '/CN=Test CA', '-keyout', path('ca.key'), '-out', path('ca.pem')];
  openssl('req', '-x509', ...newKey, ...ca, '-addext', 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature');

  let serial = 0x1000;
  let index = '';
  const issue: CertificateAuthority['issue'] = (subject, key, certificate, extensions = []) => {
    const added = [
      'basicConstraints=critical,CA:FALSE',
      'keyUsage=critical,digitalSignature',
      `authorityInfoAccess=OCSP;URI:${origin}/ocsp`,
      `crlDistributionPoints=URI:${origin}/crl`,
      ...extensions,
    ].flatMap((extension) => ['-addext', extension]);
    const number = (serial++).toString(16);
    const issued = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-subj', subject, '-set_serial', `0x${number}`];
    openssl('req', '-x509', ...newKey, ...issued, ...added, '-keyout', key, '-out', certificate);
    index += `V\t360101000000Z\t\t${number}\tunknown\t${subject}\n`;
    writeFileSync(path('index.txt'), index);
  };
  issue('/CN=Acme Seal', path('leaf.key'), path('leaf.pem'));
  const bundle = ['-inkey', path('leaf.key'), '-in', path('leaf.pem'), '-certfile', path('ca.pem')];
  openssl('pkcs12', '-export', ...bundle, '-passout', 'pass:test', '-out', path('seal.p12'));

  function crl(): Buffer {
    writeFileSync(path('crl.cnf'), `[ca]\ndefault_ca=c\n[c]\ndatabase=${path('index.txt')}\ndefault_md=sha256\n`);
    const key = ['-keyfile', path('ca.key'), '-cert', path('ca.pem')];
    const made = ['-crldays', '7', '-config', path('crl.cnf'), '-out', path('crl.pem')];
    openssl('ca', '-gencrl', ...key, ...made);
    openssl('crl', '-in', path('crl.pem'), '-outform', 'DER', '-out', path('crl.der'));
    return readFileSync(path('crl.der'));
  }
  return { certificate: { file: path('seal.p12'), password: 'test' }, ca: path('ca.pem'), asked, issue };
}
