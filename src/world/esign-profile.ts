import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { checkPublicUrl } from './public-fetch.ts';

/** Who gave the consent, and the account it opens. */
export interface EsignProfile {
  vendorAccountId: string;
  vendorAccountName: string | null;
  userName: string | null;
  userEmail: string | null;
  /** An origin, without a trailing slash. */
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

/** The person's default account. Null when there is none, or none whose address may be called. */
export function readProfile(answer: unknown, { allowsLocal }: { allowsLocal: boolean }): EsignProfile | null {
  if (!Value.Check(userinfo, answer)) return null;
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

/** Its name is looked up, and judged, whenever it is called. */
function readBaseUri(given: string, allowPrivate: boolean): string | null {
  const checked = checkPublicUrl(given, { allowPrivate });
  return 'refused' in checked ? null : checked.url.origin;
}

/** Of what PostgreSQL can hold, at most so many code points. */
function text(given: unknown, lengthMax: number): string | null {
  if (typeof given !== 'string') return null;
  const shown = [...given.toWellFormed().replaceAll('\0', '').trim()].slice(0, lengthMax).join('');
  return shown === '' ? null : shown;
}
