/** An Azure cloud that a vault can be in. */
export interface AzureCloud {
  /** The resource that access tokens are for. */
  resource: string;
  authority: string;
}

const worldwide = 'https://login.microsoftonline.com';
const china = 'https://login.chinacloudapi.cn';
const government = 'https://login.microsoftonline.us';

/** By the end of the vault's host name. */
const clouds: Record<string, string> = {
  'vault.azure.net': worldwide,
  'managedhsm.azure.net': worldwide,
  'vault.azure.cn': china,
  'managedhsm.azure.cn': china,
  'vault.usgovcloudapi.net': government,
  'managedhsm.usgovcloudapi.net': government,
};

export const vaultSuffixes = Object.keys(clouds);

/** Returns null for a host that is not a vault: it must not get a token. */
export function azureCloudOf(hostname: string): AzureCloud | null {
  const [, suffix = ''] = /^[a-z0-9-]+\.(.+)$/.exec(hostname) ?? [];
  const authority = Object.hasOwn(clouds, suffix) ? clouds[suffix] : undefined;
  return authority === undefined ? null : { resource: `https://${suffix}`, authority };
}
