import { startVendorEnvelopes, type VendorEnvelopes, type VendorEnvelopesOptions } from './envelopes.ts';
import { startVendorOauth, type VendorOauth, type VendorOauthOptions } from './oauth.ts';

/** The whole vendor: its OAuth server and the envelopes of its one account. */
export interface Vendor {
  oauth: VendorOauth;
  api: VendorEnvelopes;
  /** The settings of a service that is registered there. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

export async function startVendor(
  options: VendorOauthOptions & Omit<VendorEnvelopesOptions, 'isValid'> = {},
): Promise<Vendor> {
  const api = await startVendorEnvelopes({ ...options, isValid: (token) => oauth.isValid(token) });
  const oauth = await startVendorOauth({ ...options, baseUri: api.url });
  return {
    oauth,
    api,
    env: oauth.env,
    async stop() {
      await Promise.all([oauth.stop(), api.stop()]);
    },
  };
}
