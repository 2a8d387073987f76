import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { isAtLeast, useMe } from '../api/me.ts';

/** Counting stops here. */
export const reviewsShownMax = 99;

/** Counts the documents in review, for owners and admins. 0 for members. */
export function useReviews(): number {
  const isReviewer = isAtLeast(useMe().role, 'admin');
  const { data } = useQuery({
    queryKey: ['documents', 'reviews'],
    queryFn: ({ signal }) => api.get('/reviews', { signal }),
    enabled: isReviewer,
  });
  return data?.waiting ?? 0;
}
