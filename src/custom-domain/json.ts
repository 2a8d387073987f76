import { type CustomDomain, customOrigin, hostOfService, recordsOf } from './domain.ts';
import { unicodeHost } from './host-name.ts';

/** The domain as the console and the command line show it. */
export function domainJson(domain: CustomDomain, publicUrl: string) {
  const { host, state, proven_by, created_at, activated_at, checked_at, problem, failing_since } = domain;
  return {
    host,
    /** Null: it is the same, or could look like another name. */
    unicode_host: unicodeHost(host),
    url: customOrigin(host, publicUrl),
    state,
    problem,
    failing_since,
    proven_by,
    created_at,
    activated_at,
    checked_at,
    records: recordsOf(domain, hostOfService(publicUrl)),
  };
}
