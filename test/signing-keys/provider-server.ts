import { execFileSync } from 'node:child_process';
import { type KeyObject, privateEncrypt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ProviderAnswer {
  status: number;
  /** Sent as JSON. Text is sent unchanged. */
  body: unknown;
}

export interface ProviderServer {
  url: string;
  host: string;
  close(): void;
}

/** Starts a provider's API on loopback. `answer` gets each request with its whole body. */
export async function startProvider(
  answer: (request: IncomingMessage, body: string) => ProviderAnswer,
): Promise<ProviderServer> {
  const server = createServer(async (request, response) => {
    const { status, body } = answer(request, await bodyOf(request));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Providers sign a digest as it is, which Node.js does for RSA only. RSA takes SHA-256. ECDSA is in DER. */
export function signDigest(key: KeyObject, digest: Buffer): Buffer {
  if (key.asymmetricKeyType === 'rsa') {
    return privateEncrypt(key, Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest]));
  }
  const directory = mkdtempSync(join(tmpdir(), 'countersign-kms-'));
  const file = join(directory, 'key.pem');
  try {
    writeFileSync(file, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    return execFileSync('openssl', ['pkeyutl', '-sign', '-inkey', file], { input: digest });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
