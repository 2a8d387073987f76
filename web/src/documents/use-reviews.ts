import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { isAtLeast, useMe } from '../api/me.ts';

/** More are not counted. */
export const reviewsShownMax = 99;

/** How many documents wait for owners and admins to review them: 0 for members, who review none. */
export function useReviews(): number {
  const isReviewer = isAtLeast(useMe().role, 'admin');
  const { data } = useQuery({
    queryKey: ['documents', 'reviews'],
    queryFn: ({ signal }) => api.get<{ waiting: number }>('/reviews', signal),
    enabled: isReviewer,
  });
  return data?.waiting ?? 0;
}
