import type { S3Settings } from '../config/settings.ts';
import { OperatorError } from '../errors.ts';

export interface S3Location {
  bucket: string;
  /** Null: the SDK determines it (profile, machine). */
  region: string | null;
  /** Null: the SDK's default chain (profile, web identity, container or machine role). */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
  /** Null: Amazon S3. */
  endpoint: string | null;
  /** Whether the bucket is part of the path and not of the host name. */
  pathStyle: boolean;
  /** Returns the object's key: the prefix of FILES_URL and the file's key. */
  objectKey(key: string): string;
}

const format = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/i;

/** Parses `s3://bucket/prefix` and the AWS settings. Throws an `OperatorError` that names the bad setting. */
export function parseS3Location(filesUrl: string, s3: S3Settings): S3Location {
  const [, bucket, path = ''] = format.exec(filesUrl) ?? [];
  const prefix = path.split('/').filter((part) => part !== '');
  if (bucket === undefined || prefix.some((part) => /^\.+$/.test(part))) {
    throw new OperatorError(
      'bad setting FILES_URL: it must look like s3://bucket or s3://bucket/prefix, with a bucket of 3 to 63 characters',
    );
  }
  return {
    bucket,
    region: s3.region ?? (s3.endpoint === null ? null : 'us-east-1'), // other stores ignore it, but the signature covers it
    credentials: credentialsOf(s3),
    endpoint: s3.endpoint,
    // Certificates don't cover bucket names with dots, and other stores rarely have a host name for each bucket.
    pathStyle: s3.endpoint !== null || bucket.includes('.'),
    objectKey: (key) => [...prefix, key].join('/'),
  };
}

function credentialsOf({ accessKeyId, secretAccessKey, sessionToken }: S3Settings): S3Location['credentials'] {
  if (accessKeyId === null && secretAccessKey === null) return null;
  return {
    accessKeyId: required(accessKeyId, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
    secretAccessKey: required(secretAccessKey, 'AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'),
    ...(sessionToken === null ? {} : { sessionToken }),
  };
}

function required(value: string | null, name: string, other: string): string {
  if (value === null) throw new OperatorError(`bad setting ${name}: it must be set when ${other} is`);
  return value;
}
