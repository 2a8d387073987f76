import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { SignatureV4 } from '@smithy/signature-v4';
import type { AwsSettings, SigningKeySettings } from '../../config/settings.ts';
import { badSigningKey } from './bad-signing-key.ts';
import { excerpt, requestJson } from './request-json.ts';
import { type SignatureRequest, type SigningKey, SigningKeyError, signTimeoutMs } from './signing-key.ts';

interface AwsKmsLocation {
  /** Id, `alias/…` or ARN. */
  keyId: string;
  region: string;
  endpoint: URL;
}

/**
 * A key of AWS KMS, by its Sign operation. The request is signed with the SDK's own signer and default credential chain; the
 * SDK's KMS client isn't needed for one call.
 */
export function openAwsKmsKey(settings: SigningKeySettings): SigningKey {
  const location = parseAwsKmsUri(settings);
  let opened: Promise<SignatureV4> | undefined;
  return {
    async sign(request) {
      try {
        opened ??= createRequestSigner(settings.aws, location.region);
        return await askKms(location, await opened, request);
      } catch (error) {
        throw error instanceof SigningKeyError ? error : new SigningKeyError(explain(error as Error));
      }
    },
  };
}

/** `awskms:///alias/seal`, or with an endpoint `awskms://kms.internal:8443/alias/seal`, as cosign writes it. */
function parseAwsKmsUri({ uri, aws, environment }: SigningKeySettings): AwsKmsLocation {
  const [, host, keyId] = /^awskms:\/\/([^/?#\s]*)\/([A-Za-z0-9:/_-]+)$/i.exec(uri) ?? [];
  if (keyId === undefined) throw badSigningKey('must look like awskms:///alias/name or awskms:///arn:aws:kms:…');
  const region = /^arn:[^:]*:kms:([^:]+):/.exec(keyId)?.[1] ?? aws.region;
  if (region === null) throw badSigningKey('needs AWS_REGION, or the full ARN of the key');
  const given = host ? `https://${host}` : environment.AWS_ENDPOINT_URL_KMS || environment.AWS_ENDPOINT_URL;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = URL.parse(given || `https://kms.${region}.${suffix}`);
  if (endpoint === null) throw badSigningKey('has an endpoint that is not a URL');
  return { keyId, region, endpoint };
}

/** Loaded with the first signature. Keys from settings come first, as they do for S3. */
async function createRequestSigner(aws: AwsSettings, region: string): Promise<SignatureV4> {
  const [{ SignatureV4 }, { defaultProvider }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@aws-sdk/credential-provider-node'),
  ]);
  const { accessKeyId, secretAccessKey, sessionToken } = aws;
  const credentials =
    accessKeyId !== null && secretAccessKey !== null
      ? { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) }
      : defaultProvider();
  return new SignatureV4({ service: 'kms', region, credentials, sha256: Sha256 });
}

async function askKms(location: AwsKmsLocation, signer: SignatureV4, request: SignatureRequest): Promise<Buffer> {
  const { endpoint } = location;
  const body = JSON.stringify({
    KeyId: location.keyId,
    Message: request.digest.toString('base64'),
    MessageType: 'DIGEST',
    SigningAlgorithm: algorithmOf(request),
  });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: endpoint.protocol,
    hostname: endpoint.hostname,
    path: '/',
    query: {},
    headers: {
      host: endpoint.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'TrentService.Sign',
    },
    body,
  });
  const signal = AbortSignal.timeout(signTimeoutMs);
  const { status, body: answer } = await requestJson('AWS KMS', endpoint.origin, {
    method: 'POST',
    headers,
    body,
    signal,
  });
  if (status !== 200) throw new SigningKeyError(explainRefusal(status, answer));
  if (typeof answer.Signature !== 'string') throw new SigningKeyError('AWS KMS answered without a signature');
  return Buffer.from(answer.Signature, 'base64');
}

function algorithmOf({ keyType, digestAlgorithm }: SignatureRequest): string {
  const digest = digestAlgorithm.replace('-', '_');
  return keyType === 'RSA' ? `RSASSA_PKCS1_V1_5_${digest}` : `ECDSA_${digest}`;
}

/** By the type of the error (KMS API reference, Sign). */
const refusals: Record<string, string> = {
  NotFoundException: 'AWS KMS has no such key in this region',
  AccessDeniedException: 'AWS denies access: these credentials need kms:Sign on the key',
  UnrecognizedClientException: 'AWS does not know the credentials',
  InvalidSignatureException: 'AWS does not accept the credentials: the secret key is wrong, or this clock is',
  ExpiredTokenException: 'the AWS credentials have expired',
  DisabledException: 'the key is disabled in AWS KMS',
  KMSInvalidStateException: 'the key is disabled, or is to be deleted, in AWS KMS',
  InvalidKeyUsageException: 'the key is not for signing, or of another type than the certificate',
};

function explainRefusal(status: number, { __type, message, Message }: Record<string, unknown>): string {
  const type = (typeof __type === 'string' && __type.split('#').at(-1)) || '';
  const known = Object.hasOwn(refusals, type) ? refusals[type] : undefined;
  if (known !== undefined) return known;
  return `AWS KMS answered ${status}${type && ` ${excerpt(type)}`}: ${excerpt(message ?? Message)}`;
}

function explain(error: Error): string {
  return error.name === 'CredentialsProviderError'
    ? 'there are no AWS credentials: set them, or give this machine a role'
    : `the request to AWS KMS cannot be signed: ${excerpt(error.message)}`;
}

/** What the SDK's signer needs of a hash. */
class Sha256 {
  #hash: Hash | Hmac;
  readonly #secret: string | ArrayBuffer | ArrayBufferView | undefined;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret;
    this.#hash = this.#start();
  }

  update(chunk: string | Uint8Array): void {
    this.#hash.update(chunk);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#start();
  }

  #start(): Hash | Hmac {
    if (this.#secret === undefined) return createHash('sha256');
    const secret = this.#secret instanceof ArrayBuffer ? new Uint8Array(this.#secret) : this.#secret;
    return createHmac('sha256', secret as string | Uint8Array);
  }
}
