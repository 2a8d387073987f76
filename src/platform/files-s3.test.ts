import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { S3Settings } from '../config/settings.ts';
import { createFileStore, openFileStore, readStoredFile, type StoredFile } from './files.ts';
import { parseS3Location } from './files-s3-location.ts';

const settings: S3Settings = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'secret',
  sessionToken: 'session',
  region: 'eu-central-1',
  endpoint: null,
};

let close: () => void = () => {};
afterEach(() => close());

const patientMs = 60_000;
/** Long enough for a store that answers at once. */
const hastyMs = 3000;

/** Starts a store that answers with `answer` and records its requests. It may be silent for `silenceMs`. */
async function s3That(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
  hear: (chunk: Buffer, count: number) => void = () => {},
  silenceMs = patientMs,
) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const count = seen.push(request);
    request.on('data', (chunk) => hear(chunk, count)).on('end', () => answer(request, response, seen.length));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, endpoint, store: createFileStore('s3://documents/a', { ...settings, endpoint }, silenceMs) };
}

const fault = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

/** Computes the signature of a request like the store (AWS Signature Version 4). */
function signatureOf(request: IncomingMessage, secret: string): string {
  const { authorization = '' } = request.headers;
  const [, scope = '', names = ''] = /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+),/.exec(authorization) ?? [];
  const [path, query = ''] = (request.url as string).split('?');
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...names.split(';').map((name) => `${name}:${request.headers[name]}`),
    '',
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const toSign = `AWS4-HMAC-SHA256\n${request.headers['x-amz-date']}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`;
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

test('every request is signed with the secret, the session token and the region, an upload with its hash', async () => {
  const { store, seen } = await s3That((_request, response) => response.setHeader('content-length', 0).end());
  await store.put('sha256/ab/cd', Buffer.from('hello'));
  (await store.get('sha256/ab/cd'))?.stream.destroy();
  await store.has('sha256/ab/cd');
  await store.remove('sha256/ab/cd');
  expect(seen.map(({ method, url }) => `${method} ${url?.split('?')[0]}`)).toEqual(
    ['PUT', 'GET', 'HEAD', 'DELETE'].map((method) => `${method} /documents/a/sha256/ab/cd`),
  );
  for (const request of seen) {
    const { authorization = '', ...headers } = request.headers;
    expect(authorization).toContain(`Signature=${signatureOf(request, 'secret')}`);
    expect(authorization).toMatch(/Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, /);
    for (const signed of ['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token']) {
      expect(authorization).toMatch(new RegExp(`SignedHeaders=[^,]*\\b${signed}\\b`));
    }
    expect(headers['x-amz-security-token']).toBe('session');
  }
  expect(seen[0]?.headers['x-amz-content-sha256']).toBe(createHash('sha256').update('hello').digest('hex'));
  expect(seen[0]?.headers['content-length']).toBe('5');
});

test('a file is sent as it is read, with its length and its hash, and again for another attempt', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'files-')), 'finished');
  const bytes = randomBytes(5_000_000);
  await writeFile(path, bytes);
  const received: Buffer[][] = [];
  const { store, seen } = await s3That(
    (_request, response, count) => response.writeHead(count === 1 ? 503 : 200, { 'content-length': 0 }).end(),
    (chunk, count) => {
      received[count] ??= [];
      received[count].push(chunk);
    },
  );
  await store.putFile('sha256/ab/cd', path);
  expect(seen.length).toBe(2);
  for (const [index, request] of seen.entries()) {
    expect(Buffer.concat(received[index + 1] ?? []).equals(bytes)).toBe(true);
    expect(request.headers['content-length']).toBe('5000000');
    expect(request.headers['transfer-encoding']).toBeUndefined();
    expect(request.headers['x-amz-content-sha256']).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(request.headers.authorization).toContain(`Signature=${signatureOf(request, 'secret')}`);
  }
  expect(existsSync(path)).toBe(false);
  await rm(dirname(path), { recursive: true });
});

test.each([500, 503, 429])('a passing %d is tried again', async (status) => {
  const { store, seen } = await s3That((_request, response, count) => {
    if (count < 3) response.writeHead(status).end(fault('SlowDown'));
    else response.end();
  });
  await store.put('a/b', Buffer.from('x'));
  expect(seen.length).toBe(3);
});

test('reports a store that still fails after three attempts', async () => {
  const { store, seen } = await s3That((_request, response) => response.writeHead(503).end(fault('SlowDown')));
  await expect(store.get('a/b')).rejects.toThrow('could not get the file a/b: the store answered 503 SlowDown');
  expect(seen.length).toBe(3);
});

test.each([
  [403, 'SignatureDoesNotMatch'],
  [301, 'PermanentRedirect'],
  [400, 'InvalidArgument'],
])('a %d %s is told at once', async (status, code) => {
  const { store, seen } = await s3That((_request, response) =>
    response.writeHead(status, { location: '/' }).end(fault(code)),
  );
  await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow(
    `could not put the file a/b: the store answered ${status} ${code}`,
  );
  await expect(store.has('a/b')).rejects.toThrow(`the store answered ${status}`);
  expect(seen.length).toBe(2);
});

test('a missing bucket is a fault, not a missing file', async () => {
  const { store } = await s3That((_request, response) => response.writeHead(404).end(fault('NoSuchBucket')));
  await expect(store.get('a/b')).rejects.toThrow('404 NoSuchBucket');
  await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow('404 NoSuchBucket');
  await expect(store.remove('a/b')).rejects.toThrow('404 NoSuchBucket');
});

test('times out on a store that never answers', async () => {
  const { store, seen } = await s3That(
    () => {},
    () => {},
    400,
  );
  await expect(store.get('a/b')).rejects.toThrow('the store was silent for 400 ms');
  expect(seen.length).toBe(3);
});

test('a body that stalls or is cut off is an error', async () => {
  const halfOf = (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    if (request.url?.endsWith('cut')) setTimeout(() => response.destroy(), 50);
  };
  const { store } = await s3That(halfOf, () => {}, hastyMs);
  const silent = await store.get('a/silent');
  await expect(readStoredFile(silent as StoredFile, 100)).rejects.toThrow(
    `could not read the file a/silent: the store was silent for ${hastyMs} ms`,
  );
  const cut = await store.get('a/cut');
  await expect(readStoredFile(cut as StoredFile, 100)).rejects.toThrow('could not read the file a/cut');
});

test('a slow reader is not taken for a silent store', async () => {
  const answer = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '3000000' }).end(Buffer.alloc(3_000_000));
  };
  const { store } = await s3That(answer, () => {}, hastyMs);
  const file = await store.get('a/b');
  let readBytes = 0;
  for await (const chunk of file?.stream ?? []) {
    if (readBytes === 0) await new Promise((resolve) => setTimeout(resolve, 1.2 * hastyMs));
    readBytes += chunk.length;
  }
  expect(readBytes).toBe(3_000_000);
});

test('a refused connection is a clear error', async () => {
  const { store } = await s3That(() => {});
  close();
  await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow(/could not put the file a\/b: .*ECONNREFUSED/);
});

test('addresses: Amazon by host name, dotted buckets and other stores by path', () => {
  const locate = (filesUrl: string, changes: Partial<S3Settings> = {}) => {
    const { bucket, pathStyle, region, objectKey } = parseS3Location(filesUrl, { ...settings, ...changes });
    return [bucket, pathStyle, region, objectKey('k/1')];
  };
  expect(locate('s3://documents')).toEqual(['documents', false, 'eu-central-1', 'k/1']);
  expect(locate('s3://documents/x/y/')).toEqual(['documents', false, 'eu-central-1', 'x/y/k/1']);
  expect(locate('s3://my.documents/x')).toEqual(['my.documents', true, 'eu-central-1', 'x/k/1']);
  expect(locate('s3://documents', { endpoint: 'http://minio:9000/', region: null })).toEqual([
    'documents',
    true,
    'us-east-1',
    'k/1',
  ]);
});

test('a file larger than a part is sent in parts, and one that fails is sent again', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'files-')), 'finished');
  const bytes = randomBytes(20 * 2 ** 20);
  await writeFile(path, bytes);
  const received = new Map<string, Buffer[]>();
  let failures = 0;
  const { store, seen } = await s3That(
    (request, response) => {
      const query = new URL(request.url as string, 'http://store').searchParams;
      if (request.method === 'POST' && query.has('uploads')) {
        response.end('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>');
      } else if (request.method === 'POST') {
        response.end('<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>');
      } else if (query.get('partNumber') === '2' && failures === 0) {
        failures += 1;
        received.delete('2');
        response.writeHead(503).end(fault('SlowDown'));
      } else {
        response.setHeader('etag', `"${query.get('partNumber')}"`).end();
      }
    },
    (chunk, count) => {
      const part = new URL(seen[count - 1]?.url as string, 'http://store').searchParams.get('partNumber');
      if (part !== null) received.set(part, [...(received.get(part) ?? []), chunk]);
    },
  );
  await store.putFile('sha256/ab/cd', path);
  expect(failures).toBe(1);
  const sent = Buffer.concat(['1', '2', '3'].flatMap((part) => received.get(part) ?? []));
  expect(sent.equals(bytes)).toBe(true);
  for (const request of seen.filter(({ method }) => method === 'PUT')) {
    expect(request.headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
  }
  expect(existsSync(path)).toBe(false);
  await rm(dirname(path), { recursive: true });
});

test('an upload in parts that the store refuses is aborted, and the file stays', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'files-')), 'finished');
  await writeFile(path, Buffer.alloc(9 * 2 ** 20));
  const { store, seen } = await s3That((request, response) => {
    if (request.method === 'POST') {
      response.end('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>');
    } else if (request.method === 'DELETE') response.writeHead(204).end();
    else response.writeHead(403).end(fault('AccessDenied'));
  });
  await expect(store.putFile('sha256/ab/cd', path)).rejects.toThrow('the store answered 403 AccessDenied');
  expect(seen.at(-1)?.method).toBe('DELETE');
  expect(existsSync(path)).toBe(true);
  await rm(dirname(path), { recursive: true });
});

test('an upload in parts that a signal ends removes its parts, and the file stays', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'files-')), 'finished');
  await writeFile(path, Buffer.alloc(33 * 2 ** 20));
  const stopping = new AbortController();
  const { store, seen } = await s3That((request, response) => {
    if (request.method === 'POST') {
      response.end('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>');
    } else if (request.method === 'DELETE') response.writeHead(204).end();
    else {
      stopping.abort();
      response.setHeader('etag', '"1"').end();
    }
  });
  await expect(store.putFile('sha256/ab/cd', path, stopping.signal)).rejects.toThrow('aborted');
  // Neither the other parts, nor the request that completes the upload.
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE']);
  await expect(store.putFile('sha256/ab/cd', path, stopping.signal)).rejects.toThrow('aborted');
  expect(seen.length).toBe(3);
  expect(existsSync(path)).toBe(true);
  await rm(dirname(path), { recursive: true });
});

describe('without keys in the settings', () => {
  const variables = [
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_PROFILE',
    'AWS_CONFIG_FILE',
    'AWS_SHARED_CREDENTIALS_FILE',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'AWS_EC2_METADATA_DISABLED',
  ];
  const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
  const noKeys = { ...settings, accessKeyId: null, secretAccessKey: null, sessionToken: null };

  beforeEach(() => {
    for (const name of variables) delete process.env[name];
    Object.assign(process.env, {
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    });
  });
  afterEach(() => {
    for (const name of variables) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  test('the keys of a role are fetched from the container, as Amazon and Kubernetes hand them out', async () => {
    const role = createServer((_request, response) => {
      const Expiration = new Date(Date.now() + 3_600_000).toISOString();
      response.end(JSON.stringify({ AccessKeyId: 'ROLE', SecretAccessKey: 'of the role', Token: 't', Expiration }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => role.once('listening', resolve));
    process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = `http://127.0.0.1:${(role.address() as AddressInfo).port}/role`;
    const { endpoint, seen } = await s3That((_request, response) => response.setHeader('content-length', 0).end());
    await createFileStore('s3://documents/a', { ...noKeys, endpoint }, patientMs).put('a/b', Buffer.from('x'));
    role.close();
    const { authorization = '' } = (seen[0] as IncomingMessage).headers;
    expect(authorization).toContain('Credential=ROLE/');
    expect(authorization).toContain(`Signature=${signatureOf(seen[0] as IncomingMessage, 'of the role')}`);
    expect(seen[0]?.headers['x-amz-security-token']).toBe('t');
  });

  test('a start without any is refused in one sentence', async () => {
    await expect(openFileStore('s3://documents', noKeys)).rejects.toThrow(
      /^bad setting FILES_URL: no AWS credentials found/,
    );
  });

  test('a start without a region is refused', async () => {
    await expect(openFileStore('s3://documents', { ...settings, region: null })).rejects.toThrow(
      /^bad setting AWS_REGION/,
    );
  });
});
