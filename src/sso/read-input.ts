import { hasInvisible } from '../platform/plain-line.ts';
import { checkPublicUrl } from '../public-fetch/public-fetch.ts';
import { type GivenRole, givenRoles, type RoleValue } from './connection.ts';
import type { SsoInput } from './save-sso.ts';

/** Settings as someone typed them. Empty texts count as not given. */
export interface TypedSso {
  issuer: string;
  client_id: string;
  client_secret: string;
  role_claim: string;
  roles: readonly { value: string; role: string }[];
  default_role: string;
  is_required: boolean;
}

export const rolesMax = 100;

/** Checks typed settings. `fault`: the first property that is wrong. */
export function readSsoInput(typed: TypedSso, allowPrivate: boolean): { input: SsoInput } | { fault: string } {
  const issuer = readIssuer(typed.issuer, allowPrivate);
  if (issuer === null) return { fault: 'issuer' };
  const clientId = typed.client_id.trim();
  if (!isLine(clientId, 300)) return { fault: 'client_id' };
  const clientSecret = typed.client_secret.trim();
  if (clientSecret !== '' && !isLine(clientSecret, 1000)) return { fault: 'client_secret' };
  const roleClaim = typed.role_claim.trim();
  if (roleClaim !== '' && !isLine(roleClaim, 200)) return { fault: 'role_claim' };
  const roles = readRoles(typed.roles);
  // Roles without a claim, or a claim without roles, would do nothing.
  if (roles === null || (roleClaim === '') !== (roles.length === 0)) return { fault: 'roles' };
  if (typed.default_role !== '' && !isGivenRole(typed.default_role)) return { fault: 'default_role' };
  const input = {
    issuer,
    clientId,
    clientSecret: clientSecret || null,
    roleClaim: roleClaim || null,
    roles,
    defaultRole: typed.default_role === '' ? null : typed.default_role,
    isRequired: typed.is_required,
  };
  return { input };
}

/**
 * Returns the canonical issuer, or null. `/.well-known/` is refused, because the library then compares the issuer with nothing.
 */
export function readIssuer(text: string, allowPrivate: boolean): string | null {
  const checked = checkPublicUrl(text.trim(), { allowPrivate });
  if ('refused' in checked) return null;
  const { url } = checked;
  if (url.search !== '' || text.includes('?') || text.includes('#') || url.href.includes('/.well-known')) return null;
  // As providers with no path write it.
  const issuer = url.pathname === '/' ? url.origin : url.href;
  return issuer.length <= 500 ? issuer : null;
}

function readRoles(typed: TypedSso['roles']): RoleValue[] | null {
  const roles = typed.map(({ value, role }) => ({ value: value.trim(), role }));
  const isWrong = ({ value, role }: { value: string; role: string }) => !isLine(value, 200) || !isGivenRole(role);
  const values = new Set(roles.map(({ value }) => value));
  if (roles.length > rolesMax || roles.some(isWrong) || values.size < roles.length) return null;
  return roles as RoleValue[];
}

function isGivenRole(role: string): role is GivenRole {
  return givenRoles.some((given) => given === role);
}

function isLine(text: string, lengthMax: number): boolean {
  return text !== '' && text.length <= lengthMax && !hasInvisible(text);
}
