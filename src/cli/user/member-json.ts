import type { Member } from '../../accounts/members.ts';

export function memberJson({ id, email, role, created_at }: Member) {
  return { id, email, role, created_at };
}
