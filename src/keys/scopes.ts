export const scopes = [
  'documents:read',
  'recipients:read',
  'documents:write',
  'documents:send',
  'imports:read',
  'imports:write',
] as const;

export type Scope = (typeof scopes)[number];

/** What a key issued before scopes existed was back-filled with (spec.md, Authentication, 8). */
export const legacyScopes: readonly Scope[] = ['documents:read', 'recipients:read', 'imports:read'];

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}
