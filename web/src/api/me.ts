import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';

export type Role = 'owner' | 'admin' | 'member';

/** `GET /me`: who is signed in, and where. */
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

/** Only what is shown depends on it: the server judges every request by itself. */
export function isAtLeast(role: Role, wanted: Role): boolean {
  return rank[role] >= rank[wanted];
}
