import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../shell/use-row-keys.ts';
import { Time } from '../ui/time.tsx';
import { ImportStatus, starterName } from './import-words.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { importsText } from './texts.ts';
import type { ImportView } from './types.ts';

/** A table, or cards on phones. */
export function ImportTable({ imports }: { imports: readonly ImportView[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const { source, progress, by, when } = importsText.columns;
  return (
    <table className="mt-5 w-full border-collapse max-sm:block">
      <thead className="max-sm:sr-only">
        <tr className="border-b border-rule text-left text-sm text-soft">
          {[source, progress, by].map((name) => (
            <th key={name} scope="col" className="py-2 pr-6 font-medium">
              {name}
            </th>
          ))}
          <th scope="col" className="py-2 text-right font-medium">
            {when}
          </th>
        </tr>
      </thead>
      <tbody ref={body} className="max-sm:block">
        {imports.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: ImportView }) {
  const source = importsText.sources[row.source];
  return (
    <tr className="relative border-b border-rule align-top hover:bg-wash has-[a:focus-visible]:bg-wash max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-2 max-sm:py-3">
      <td className="py-3 pr-6 max-sm:contents">
        <Link
          to="/imports/$id"
          params={{ id: row.id }}
          className="font-semibold after:absolute after:inset-0 hover:text-accent"
        >
          {source}
        </Link>
        <div className="mt-1 max-sm:mt-0">
          <ImportStatus of={row} />
        </div>
      </td>
      <td className="py-3.5 pr-6 max-sm:col-span-2 max-sm:p-0 sm:w-[34%]">
        <ProgressBar of={row} name={`${importsText.progress}: ${source}`} />
      </td>
      <td className="py-3 pr-6 text-soft max-sm:p-0 max-sm:text-sm">
        <bdi className="line-clamp-1 break-all">{starterName(row.started_by)}</bdi>
      </td>
      <td className="py-3 text-right text-sm whitespace-nowrap text-soft max-sm:p-0">
        <Time at={row.created_at} />
      </td>
    </tr>
  );
}
