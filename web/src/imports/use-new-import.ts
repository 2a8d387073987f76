import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

/** Opens an import that was just started, and adds it to the list. */
export function useNewImport(): (id: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (id) => {
    await queryClient.invalidateQueries({ queryKey: ['imports'] });
    await navigate({ to: '/imports/$id', params: { id }, search: {} });
  };
}
