import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const sendingKey = ['sending'];

/** Reads the company's defaults for expiry and reminders. Each form reads them again, because it begins with them. */
export function useSending() {
  return useQuery({
    queryKey: sendingKey,
    queryFn: () => api.get('/sending'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
