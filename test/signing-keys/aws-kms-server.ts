import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf, signDigest } from './provider-server.ts';

/** The answer to the next calls, in place of a signature. `hang`: no answer. */
export type Fault = { status: number; type: string } | 'hang' | null;

export interface AwsKmsServer {
  url: string;
  fault: Fault;
  calls: number;
  close(): void;
}

export const credentials = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a secret' };

/**
 * AWS KMS on loopback, as far as its API reference documents Sign with MessageType DIGEST. It signs for real, with the private
 * keys given by their alias.
 */
export async function startAwsKms(keys: Record<string, KeyObject>): Promise<AwsKmsServer> {
  const server: Server = createServer(async (request, response) => {
    state.calls += 1;
    const text = await bodyOf(request);
    const body = JSON.parse(text);
    if (state.fault === 'hang') return;
    const answer = state.fault ?? answerTo(request, text, keys);
    const isSignature = 'signature' in answer;
    response.writeHead(isSignature ? 200 : answer.status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify(isSignature ? signatureOf(body, answer.signature) : { __type: answer.type, message: 'no' }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state: AwsKmsServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: null,
    calls: 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return state;
}

type Body = Record<string, string>;

function signatureOf({ KeyId, SigningAlgorithm }: Body, signature: Buffer): object {
  return { KeyId, SigningAlgorithm, Signature: signature.toString('base64') };
}

function answerTo(request: IncomingMessage, text: string, keys: Record<string, KeyObject>) {
  const refusal = refuse(request, text);
  if (refusal !== null) return { status: 400, type: refusal };
  const body: Body = JSON.parse(text);
  if (request.headers['x-amz-target'] !== 'TrentService.Sign')
    return { status: 400, type: 'UnknownOperationException' };
  const key = keys[body.KeyId ?? ''];
  if (key === undefined) return { status: 400, type: 'NotFoundException' };
  const wanted = { rsa: 'RSASSA_PKCS1_V1_5_SHA_256', ec: 'ECDSA_SHA_256' }[key.asymmetricKeyType as 'rsa' | 'ec'];
  if (body.SigningAlgorithm !== wanted) return { status: 400, type: 'InvalidKeyUsageException' };
  const digest = Buffer.from(body.Message ?? '', 'base64');
  if (body.MessageType !== 'DIGEST' || digest.length !== 32) return { status: 400, type: 'ValidationException' };
  return { signature: signDigest(key, digest) };
}

/** Checks the request's signature as described in "AWS Signature Version 4 for API requests". Returns null if it is valid. */
function refuse({ method, headers }: IncomingMessage, body: string): string | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/eu-west-1\/kms\/aws4_request), SignedHeaders=(\S+), Signature=(\w+)$/;
  const [, id, scope = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? [];
  if (id !== credentials.AWS_ACCESS_KEY_ID) return 'UnrecognizedClientException';
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, '/', '', signed.join(''), names, sha256(body)].join('\n');
  const toBeSigned = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${credentials.AWS_SECRET_ACCESS_KEY}`);
  return hmac(key, toBeSigned).toString('hex') === signature ? null : 'InvalidSignatureException';
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
