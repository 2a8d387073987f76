import type { QueryValues } from '../api/client.ts';
import { fileAddress } from '../api/download.ts';
import { Button } from '../ui/button.tsx';

/** Downloads all rows of a log's filters. */
export function ExportButton({ path, query, children }: { path: string; query: QueryValues; children: string }) {
  return <Button onClick={() => location.assign(fileAddress(path, query))}>{children}</Button>;
}
