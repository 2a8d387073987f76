import { isIP } from 'node:net';
import { Refusal } from '../errors.ts';
import { nonPublicRange } from '../public-fetch/address-rules.ts';
import { hostOf } from '../public-fetch/check-public-url.ts';
import { checkPublicUrl, type HostConcern, type HostResolver } from '../public-fetch/public-fetch.ts';
import type { StreamKind } from './stream.ts';

export interface DestinationRules {
  /** Allows private addresses, `http` and syslog without TLS. For development and tests. */
  allowPrivate: boolean;
  resolver: HostResolver;
}

export interface AcceptedDestination {
  kind: StreamKind;
  /** In its canonical form. */
  url: string;
  /** A warning for the person who sets it. Null: none. */
  concern: HostConcern | null;
}

/** Where a syslog server listens. */
export interface SyslogServer {
  host: string;
  port: number;
  tls: boolean;
}

/** RFC 5425. */
const syslogPort = 6514;

/**
 * Checks whether a company's audit log may be streamed to an address, by its text and the addresses of its host. `address` is
 * an https URL, or for syslog `host:port`. A name that cannot be looked up is accepted with a warning: each batch checks again.
 * Throws a `Refusal`.
 */
export async function checkDestination(
  kind: StreamKind,
  address: string,
  { allowPrivate, resolver }: DestinationRules,
): Promise<AcceptedDestination> {
  const text = address.trim();
  const { url, host } = kind === 'webhook' ? webhookOf(text, allowPrivate) : syslogOf(text, allowPrivate);
  const accepted = { kind, url, concern: null };
  if (allowPrivate || isIP(host) !== 0) return accepted;
  const concerned = (code: HostConcern['code'], text: string) => ({ ...accepted, concern: { code, host, text } });
  const lookup = await resolver.resolve(host);
  switch (lookup.kind) {
    case 'addresses':
      if (lookup.addresses.every((found) => nonPublicRange(found) === null)) return accepted;
      throw new Refusal(`the destination must be public: the name ${host} leads to an address that is not`);
    case 'none':
      return concerned('no_address', `the name ${host} ${lookup.reason}: nothing is sent until you fix that`);
    case 'our_fault':
      return concerned('not_checked', `the name ${host} could not be checked now (${lookup.reason}): each batch will`);
  }
}

function webhookOf(text: string, allowPrivate: boolean): { url: string; host: string } {
  const checked = checkPublicUrl(text, { allowPrivate });
  if ('refused' in checked) throw new Refusal(`the URL ${checked.refused}`);
  return { url: checked.url.href, host: hostOf(checked.url) };
}

/** Accepts `host`, `host:port` and the canonical form. */
function syslogOf(text: string, allowPrivate: boolean): { url: string; host: string } {
  const [, scheme = 'tls', authority = ''] = /^(?:syslog\+(tls|tcp):\/\/)?([^/?#@]+)$/i.exec(text) ?? [];
  const tls = scheme.toLowerCase() === 'tls';
  if (!URL.canParse(`https://${authority}`)) {
    throw new Refusal('the syslog server must be a host with a port, such as logs.example.com:6514');
  }
  if (!tls && !allowPrivate) throw new Refusal('syslog without TLS is for development only');
  const checked = checkPublicUrl(`https://${authority}`, { allowPrivate });
  if ('refused' in checked) throw new Refusal(`the syslog server ${checked.refused}`);
  const host = hostOf(checked.url);
  const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? syslogPort);
  return { url: `syslog+${tls ? 'tls' : 'tcp'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, host };
}

/** Reads the canonical form. */
export function syslogServerOf(url: string): SyslogServer {
  const [, scheme, host = '', port] = /^syslog\+(tls|tcp):\/\/(.+):(\d+)$/.exec(url) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), tls: scheme === 'tls' };
}
