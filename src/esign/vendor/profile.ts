import { Type } from 'typebox';
import { fits } from '../../platform/find-fault.ts';
import { checkPublicUrl } from '../../public-fetch/public-fetch.ts';

/** The person who gave the consent, and the account it gives access to. */
export interface EsignProfile {
  vendorAccountId: string;
  vendorAccountName: string | null;
  userName: string | null;
  userEmail: string | null;
  /** Origin without a trailing slash. */
  baseUri: string;
}

const optionalText = Type.Optional(Type.Unknown());
const userinfo = Type.Object({
  name: optionalText,
  email: optionalText,
  accounts: Type.Array(
    Type.Object({
      account_id: Type.String({ pattern: '^[!-~]{1,100}$' }),
      account_name: optionalText,
      is_default: Type.Optional(Type.Unknown()),
      base_uri: Type.String({ minLength: 1, maxLength: 300 }),
    }),
    { minItems: 1 },
  ),
});

/** Reads the person's default account. Null if there is none, or if its address may not be called. */
export function readProfile(answer: unknown, { allowsLocal }: { allowsLocal: boolean }): EsignProfile | null {
  if (!fits(userinfo, answer)) return null;
  const account = answer.accounts.find(({ is_default }) => is_default === true) ?? answer.accounts[0];
  const baseUri = account === undefined ? null : readBaseUri(account.base_uri, allowsLocal);
  if (account === undefined || baseUri === null) return null;
  return {
    vendorAccountId: account.account_id,
    vendorAccountName: text(account.account_name, 200),
    userName: text(answer.name, 200),
    userEmail: text(answer.email, 254),
    baseUri,
  };
}

/** Checks only the text. The host is resolved and checked at each call. */
function readBaseUri(value: string, allowPrivate: boolean): string | null {
  const checked = checkPublicUrl(value, { allowPrivate });
  return 'refused' in checked ? null : checked.url.origin;
}

/** Returns the first `lengthMax` code points of a text, without what PostgreSQL can't store. Null if nothing remains. */
function text(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string') return null;
  const shown = [...value.toWellFormed().replaceAll('\0', '').trim()].slice(0, lengthMax).join('');
  return shown === '' ? null : shown;
}
