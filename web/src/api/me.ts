import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type AnswerOf, ApiFailure, api } from './client.ts';
import { show } from './shown.ts';

type Answer = AnswerOf<'GET', '/me'>;
export type Role = NonNullable<Answer['role']>;

/** The person, the current company and all their companies. */
export type Me = Answer & { account: NonNullable<Answer['account']>; role: Role };

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: readMe, staleTime: 60_000 });

/** Only members see the pages of the console. A recipient who confirmed an address has no company. */
async function readMe(): Promise<Me> {
  const { account, role, ...me } = await api.get('/me');
  if (account === null || role === null) throw new ApiFailure('forbidden', 403, 'not a member');
  show({ person: me.person.id, company: account.id });
  return { ...me, account, role };
}

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

const rank: Record<Role, number> = { member: 1, admin: 2, owner: 3 };

/** Whether the role is high enough to show something. The server checks each request anyway. */
export function isAtLeast(role: Role, wanted: Role): boolean {
  return rank[role] >= rank[wanted];
}
