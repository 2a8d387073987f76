import { useState } from 'react';
import { type Page, useList } from '../api/list.ts';
import { isAtLeast, useMe } from '../api/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { FirstImport } from './first-import.tsx';
import { ImportTable } from './import-table.tsx';
import { renewMs } from './renew.ts';
import { StartMigration } from './start-migration.tsx';
import { importsText } from './texts.ts';
import type { ImportView } from './types.ts';

const pageSize = 20;

export function ListPage() {
  const { role } = useMe();
  const [isStarting, setStarting] = useState(false);
  const list = useList<ImportView>(['imports', 'list'], '/imports', pageSize, whileRunning);
  const { items, hasNextPage, isFetchingNextPage, isPending, error, more } = list;
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <h1 className="text-2xl sm:text-3xl">{importsText.title}</h1>
        {isAtLeast(role, 'admin') && (
          <Button kind="primary" onClick={() => setStarting(true)}>
            <Icon name="imports" size={16} />
            {importsText.start}
          </Button>
        )}
      </div>
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-6 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <ImportTable imports={items} />}
      {!isPending && items.length === 0 && error === null && <FirstImport />}
      {hasNextPage && (
        <Button className="mt-4 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {uiText.more}
        </Button>
      )}
      {isStarting && <StartMigration onClose={() => setStarting(false)} />}
    </>
  );
}

function whileRunning(pages: readonly Page<ImportView>[]): number | false {
  return renewMs(
    pages,
    pages.some(({ data }) => data.some(({ status }) => status === 'running')),
  );
}
