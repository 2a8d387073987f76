import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { secureUrl } from '../../config/secure-url.ts';
import type { SigningKeySettings } from '../../config/settings.ts';
import { type AccessToken, readAccessToken } from './access-tokens.ts';
import { excerpt, requestJson } from './request-json.ts';
import { SigningKeyError, tokenTimeoutMs } from './signing-key.ts';

const scope = 'https://www.googleapis.com/auth/cloudkms';
const jwtSeconds = 3600;

/**
 * Fetches an access token for Cloud KMS: with the key of a service account in `GOOGLE_APPLICATION_CREDENTIALS`, else from
 * the metadata server of the machine or pod.
 *
 * @throws a `SigningKeyError` that says what is wrong with the credentials.
 */
export function fetchGoogleToken({ environment }: SigningKeySettings): Promise<AccessToken> {
  const file = environment.GOOGLE_APPLICATION_CREDENTIALS;
  return file ? askWithServiceAccount(file) : askMetadataServer(environment.GCE_METADATA_HOST || '169.254.169.254');
}

/** As "Using OAuth 2.0 for server to server applications" describes it (RFC 7523). */
async function askWithServiceAccount(file: string): Promise<AccessToken> {
  const { tokenUrl, assertion } = await readServiceAccount(file);
  const provider = 'the token service of Google';
  const answer = await requestJson(provider, tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    signal: AbortSignal.timeout(tokenTimeoutMs),
  });
  if (answer.status === 200) return readAccessToken(provider, answer);
  const { error, error_description: description } = answer.body;
  throw new SigningKeyError(
    error === 'invalid_grant'
      ? `Google does not accept the service account: its key was deleted, or this clock is wrong: ${excerpt(description)}`
      : `${provider} answered ${answer.status}: ${excerpt(description ?? error)}`,
  );
}

async function readServiceAccount(file: string): Promise<{ tokenUrl: URL; assertion: string }> {
  const { type, client_email: email, private_key: pem, private_key_id: kid, token_uri: uri } = await readJson(file);
  if (type !== 'service_account') {
    throw new SigningKeyError(
      'GOOGLE_APPLICATION_CREDENTIALS must be the key file of a service account (type service_account)',
    );
  }
  const tokenUrl = secureUrl(uri ?? 'https://oauth2.googleapis.com/token');
  if (tokenUrl === null) throw new SigningKeyError(`${file} has a token_uri that does not start with https:`);
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss: email, scope, aud: tokenUrl.href, iat: seconds, exp: seconds + jwtSeconds };
  const content = [{ alg: 'RS256', typ: 'JWT', kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  try {
    const signature = sign('sha256', Buffer.from(content), createPrivateKey(String(pem)));
    return { tokenUrl, assertion: `${content}.${signature.toString('base64url')}` };
  } catch {
    throw new SigningKeyError(`${file} has no private_key that can be read`);
  }
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SigningKeyError(`cannot read ${file}, which GOOGLE_APPLICATION_CREDENTIALS names: ${code}`);
  }
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new SigningKeyError(`${file}, which GOOGLE_APPLICATION_CREDENTIALS names, is not JSON`);
  }
}

async function askMetadataServer(host: string): Promise<AccessToken> {
  const provider = 'the Google metadata server';
  const url = URL.parse(`http://${host}/computeMetadata/v1/instance/service-accounts/default/token`);
  if (url === null) throw new SigningKeyError('GCE_METADATA_HOST must be a host name or address');
  const signal = AbortSignal.timeout(tokenTimeoutMs);
  const headers = { 'metadata-flavor': 'Google' };
  const answer = await requestJson(provider, url, { method: 'GET', headers, signal }).catch((error) => {
    throw new SigningKeyError(
      `there are no Google credentials: set GOOGLE_APPLICATION_CREDENTIALS, or give this machine a service account (${error.message})`,
    );
  });
  if (answer.status === 200) return readAccessToken(provider, answer);
  throw new SigningKeyError(`${provider} answered ${answer.status}: this machine needs a service account`);
}
