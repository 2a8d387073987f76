import { useMutation } from '@tanstack/react-query';
import type { QueryValues } from '../api/client.ts';
import { download } from '../api/download.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';

/** Downloads all rows of a log's filters. */
export function ExportButton({ path, query, children }: { path: string; query: QueryValues; children: string }) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => download(path, query) });
  return (
    <>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {children}
      </Button>
      <Problem of={error} className="order-1 w-full" />
    </>
  );
}
