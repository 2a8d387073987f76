import type { GivenRole, SsoConnection } from './connection.ts';

/**
 * The role that the groups of a person give: the highest of those that match, else the default role. Null: none does, so only
 * invited people get in. Groups are compared exactly.
 */
export function roleOf(
  { roles, default_role: defaultRole }: Pick<SsoConnection, 'roles' | 'default_role'>,
  groups: readonly string[],
): GivenRole | null {
  const given = roles.filter(({ value }) => groups.includes(value)).map(({ role }) => role);
  if (given.includes('admin')) return 'admin';
  return given[0] ?? defaultRole;
}
