import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { QueryValues } from '../api/client.ts';
import { download } from '../api/download.ts';
import { fileAddress } from '../api/file-address.ts';
import { Problem } from './problem.tsx';

interface DownloadLinkProps {
  /** Its path in the console's API. */
  path: string;
  query?: QueryValues;
  className: string;
  children: ReactNode;
}

/** A link that downloads a file. Before that it checks the session: otherwise the browser would save the error as the file. */
export function DownloadLink({ path, query = {}, className, children }: DownloadLinkProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => download(path, query) });
  return (
    <>
      <a
        href={fileAddress(path, query)}
        download
        className={className}
        aria-busy={isPending || undefined}
        onClick={(event) => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      >
        {children}
      </a>
      <Problem of={error} className="order-last w-full" />
    </>
  );
}
