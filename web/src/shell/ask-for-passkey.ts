import { ApiFailure } from '../api/client.ts';

/** Older browsers, and those that other apps show, lack passkeys or the functions for their JSON. */
export const isPasskeyBrowser =
  'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Asks the browser for a passkey and returns its answer for the server. Throws an `ApiFailure` with the code `cancelled`. */
export async function askForPasskey(options: unknown): Promise<object> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw new ApiFailure('cancelled', 0, '');
  return credential.toJSON();
}
