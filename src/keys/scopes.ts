export const scopes = [
  'documents:read',
  'recipients:read',
  'documents:write',
  'documents:send',
  'imports:read',
  'imports:write',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of keys that were issued before scopes existed. */
export const legacyScopes: readonly Scope[] = ['documents:read', 'recipients:read', 'imports:read'];

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}
