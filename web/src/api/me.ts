import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';

export type Role = 'owner' | 'admin' | 'member';

/** Answer of `GET /me`: the person, the current company and all their companies. */
export interface Me {
  person: { id: string; email: string };
  account: { id: string; display_name: string };
  role: Role;
  accounts: { id: string; display_name: string; role: Role }[];
  has_password: boolean;
  totp: { confirmed_at: string | null; recovery_codes_left: number };
  passkeys: { count: number; are_available: boolean };
}

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => api.get<Me>('/me'), staleTime: 60_000 });

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

const rank: Record<Role, number> = { member: 1, admin: 2, owner: 3 };

/** Whether the role is high enough to show something. The server checks each request anyway. */
export function isAtLeast(role: Role, wanted: Role): boolean {
  return rank[role] >= rank[wanted];
}
