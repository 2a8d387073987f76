import { addressOf, type QueryValues } from '../api/client.ts';
import { Button } from '../ui/button.tsx';

/** Downloads all rows of a log's filters. */
export function ExportButton({ path, query, children }: { path: string; query: QueryValues; children: string }) {
  const address = addressOf(path, { query });
  return <Button onClick={() => location.assign(address)}>{children}</Button>;
}
