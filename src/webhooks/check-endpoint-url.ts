import { isIP } from 'node:net';
import { Refusal } from '../errors.ts';
import { nonPublicRange } from '../public-fetch/address-rules.ts';
import { hostOf } from '../public-fetch/check-public-url.ts';
import { checkPublicUrl, type HostConcern, type HostResolver } from '../public-fetch/public-fetch.ts';

export interface AcceptedUrl {
  /** In its canonical form. */
  url: string;
  /** A warning for the person who registers it. Null: none. */
  concern: HostConcern | null;
}

/**
 * Checks whether a URL may be registered, by its text and the addresses of its host. A name that cannot be looked up is
 * accepted with a warning: it may be new, and every delivery checks again. Throws a `Refusal`.
 */
export async function checkEndpointUrl(
  text: string,
  { allowPrivate, resolver }: { allowPrivate: boolean; resolver: HostResolver },
): Promise<AcceptedUrl> {
  const checked = checkPublicUrl(text, { allowPrivate });
  if ('refused' in checked) throw new Refusal(`the URL ${checked.refused}`);
  const url = checked.url.href;
  const host = hostOf(checked.url);
  if (allowPrivate || isIP(host) !== 0) return { url, concern: null };

  const concerned = (code: HostConcern['code'], text: string) => ({ url, concern: { code, host, text } });
  const lookup = await resolver.resolve(host);
  switch (lookup.kind) {
    case 'addresses':
      if (lookup.addresses.every((address) => nonPublicRange(address) === null)) return { url, concern: null };
      throw new Refusal(`the URL must have a public host: the name ${host} leads to an address that is not public`);
    case 'none':
      return concerned('no_address', `the name ${host} ${lookup.reason}: deliveries fail until you fix that`);
    case 'our_fault':
      return concerned(
        'not_checked',
        `the name ${host} could not be checked now (${lookup.reason}): each delivery will`,
      );
  }
}
