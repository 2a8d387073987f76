import type { S3Settings } from '../config.ts';
import { OperatorError } from '../errors.ts';

export interface S3Location {
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  urlOf(key: string): string;
}

const format = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/i;

/** Reads `s3://bucket/prefix` together with the AWS settings. Throws an `OperatorError` that names the bad one. */
export function parseS3Location(filesUrl: string, s3: S3Settings): S3Location {
  const [, bucket, path = ''] = format.exec(filesUrl) ?? [];
  const prefix = path.split('/').filter((part) => part !== '');
  if (bucket === undefined || prefix.some((part) => /^\.+$/.test(part))) {
    throw new OperatorError(
      'bad setting FILES_URL: it must look like s3://bucket or s3://bucket/prefix, with a bucket of 3 to 63 characters',
    );
  }
  const region = s3.region ?? (s3.endpoint === null ? null : 'us-east-1'); // own stores ignore it, but it is signed
  const root = rootOf(bucket, required(region, 'AWS_REGION'), s3.endpoint);
  return {
    region: required(region, 'AWS_REGION'),
    credentials: {
      accessKeyId: required(s3.accessKeyId, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: required(s3.secretAccessKey, 'AWS_SECRET_ACCESS_KEY'),
      ...(s3.sessionToken === null ? {} : { sessionToken: s3.sessionToken }),
    },
    urlOf: (key) => [root, ...prefix, key].join('/'),
  };
}

/**
 * Amazon wants the bucket in the host name; a bucket with dots in its name has no certificate there and keeps to the
 * path, and so do all other stores, whose buckets rarely have names of their own.
 */
function rootOf(bucket: string, region: string, endpoint: string | null): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  if (bucket.includes('.')) return `https://s3.${region}.amazonaws.com/${bucket}`;
  return `https://${bucket}.s3.${region}.amazonaws.com`;
}

function required(value: string | null, name: string): string {
  if (value === null) throw new OperatorError(`bad setting ${name}: FILES_URL names an S3 bucket, so it must be set`);
  return value;
}
