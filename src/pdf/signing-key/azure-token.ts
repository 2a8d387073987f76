import { readFile } from 'node:fs/promises';
import { secureUrl } from '../../config/secure-url.ts';
import { badSetting } from '../../config/setting-reader.ts';
import type { SigningKeySettings } from '../../config/settings.ts';
import { type AccessToken, readAccessToken } from './access-tokens.ts';
import type { AzureCloud } from './azure-cloud.ts';
import { badSigningKey } from './bad-signing-key.ts';
import { excerpt, requestJson } from './request-json.ts';
import { SigningKeyError, tokenTimeoutMs } from './signing-key.ts';

type FetchToken = () => Promise<AccessToken>;

/**
 * Chooses how access tokens are fetched, in the order of Azure's own libraries: client secret, workload identity,
 * managed identity.
 *
 * Throws an `OperatorError` that names the bad setting. The function returned throws a `SigningKeyError`.
 */
export function chooseAzureCredentials(settings: SigningKeySettings, cloud: AzureCloud): FetchToken {
  const { environment, azureClientSecret: secret } = settings;
  const { AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: client, AZURE_FEDERATED_TOKEN_FILE: file } = environment;
  if (secret === null && !file) return () => askManagedIdentity(environment, cloud);
  if (!tenant || !client) {
    const other = secret === null ? 'AZURE_FEDERATED_TOKEN_FILE' : 'AZURE_CLIENT_SECRET';
    throw badSigningKey(`needs AZURE_TENANT_ID and AZURE_CLIENT_ID when ${other} is set`);
  }
  const authority = secureUrl(environment.AZURE_AUTHORITY_HOST || cloud.authority);
  if (authority === null)
    throw badSetting('AZURE_AUTHORITY_HOST', 'must start with https: unless it is on this machine');
  const url = `${authority.href.replace(/\/+$/, '')}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const common = { grant_type: 'client_credentials', client_id: client, scope: `${cloud.resource}/.default` };
  return async () => {
    const proof = secret === null ? await readAssertion(file ?? '') : { client_secret: secret };
    return askEntra(url, { ...common, ...proof });
  };
}

/** The platform renews the file, so it is read each time. */
async function readAssertion(file: string): Promise<Record<string, string>> {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  try {
    return { client_assertion_type: type, client_assertion: (await readFile(file, 'utf8')).trim() };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SigningKeyError(`cannot read ${file}, which AZURE_FEDERATED_TOKEN_FILE names: ${code}`);
  }
}

async function askEntra(url: string, form: Record<string, string>): Promise<AccessToken> {
  const provider = 'Microsoft Entra ID';
  const answer = await requestJson(provider, url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal: AbortSignal.timeout(tokenTimeoutMs),
  });
  if (answer.status === 200) return readAccessToken(provider, answer);
  const { error, error_description: description } = answer.body;
  const isRefused = answer.status === 400 || answer.status === 401;
  const start = isRefused ? `${provider} does not accept the credentials` : `${provider} answered ${answer.status}`;
  throw new SigningKeyError(`${start}: ${excerpt(description ?? error)}`);
}

/** App Service and Container Apps name their own endpoint. Machines and clusters have the metadata service. */
async function askManagedIdentity(
  environment: SigningKeySettings['environment'],
  { resource }: AzureCloud,
): Promise<AccessToken> {
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: header, AZURE_CLIENT_ID: client } = environment;
  const isAppService = endpoint !== undefined && endpoint !== '' && header !== undefined && header !== '';
  const host = environment.AZURE_POD_IDENTITY_AUTHORITY_HOST || 'http://169.254.169.254';
  const url = URL.parse(isAppService ? endpoint : `${host.replace(/\/+$/, '')}/metadata/identity/oauth2/token`);
  if (url === null) throw new SigningKeyError('the endpoint of the managed identity is not a URL');
  url.searchParams.set('api-version', isAppService ? '2019-08-01' : '2018-02-01');
  url.searchParams.set('resource', resource);
  if (client) url.searchParams.set('client_id', client);
  const headers: Record<string, string> = isAppService ? { 'x-identity-header': header } : { metadata: 'true' };
  const provider = 'the managed identity endpoint of Azure';
  const signal = AbortSignal.timeout(tokenTimeoutMs);
  const answer = await requestJson(provider, url, { method: 'GET', headers, signal }).catch((error) => {
    throw new SigningKeyError(
      `there are no Azure credentials: set AZURE_CLIENT_SECRET, or give this machine a managed identity (${error.message})`,
    );
  });
  if (answer.status === 200) return readAccessToken(provider, answer);
  const { error, error_description: description } = answer.body;
  throw new SigningKeyError(`${provider} answered ${answer.status}: ${excerpt(description ?? error)}`);
}
