import type { SsoConnection } from './connection.ts';
import { recordOf, type SsoDomain } from './domains.ts';

/**
 * The provider returns people to this path. Each company has its own. With a shared one, the provider of one company could send
 * people on to the provider of another, and would get the code meant for that one (RFC 9700, section 4.4).
 */
export function callbackPath(accountId: string): string {
  return `/sign-in/sso/callback/${accountId}`;
}

/** The settings as the console and the command line show them, without the secret. `origin` is that of our pages. */
export function ssoJson(
  origin: string,
  accountId: string,
  connection: SsoConnection | null,
  domains: readonly SsoDomain[],
) {
  return {
    version: connection?.version ?? 0,
    issuer: connection?.issuer ?? '',
    client_id: connection?.client_id ?? '',
    has_client_secret: connection !== null,
    role_claim: connection?.role_claim ?? '',
    roles: connection?.roles ?? [],
    default_role: connection?.default_role ?? '',
    is_required: connection?.is_required ?? false,
    redirect_uri: origin + callbackPath(accountId),
    sign_in_url: connection === null ? null : origin + signInPath(connection.id),
    changed_at: connection?.changed_at ?? null,
    domains: domains.map(domainJson),
  };
}

function domainJson(domain: SsoDomain) {
  const { name, value } = recordOf(domain);
  const { proven_at, proven_by } = domain;
  return { domain: domain.domain, record_name: name, record_value: value, proven_at, proven_by };
}

/** The company's own sign-in page. */
function signInPath(id: string): string {
  return `/sign-in/sso/${id}`;
}
