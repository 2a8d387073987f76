import { useState } from 'react';
import { type Page, useList } from '../api/list.ts';
import { isAtLeast, useMe } from '../api/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { FirstImport } from './first-import.tsx';
import { ImportTable } from './import-table.tsx';
import { renewMs } from './renew.ts';
import { StartVendorImport } from './start-vendor-import.tsx';
import { importsText } from './texts.ts';
import type { ImportView } from './types.ts';
import { ImportFiles } from './upload/import-files.tsx';
import { uploadText } from './upload/upload-texts.ts';
import { useFileDrop } from './upload/use-file-drop.ts';

const pageSize = 20;

export function ListPage() {
  const { role } = useMe();
  const [isStarting, setStarting] = useState(false);
  const [chosen, setChosen] = useState<readonly File[] | null>(null);
  const isOver = useFileDrop(setChosen);
  const list = useList(['imports', 'list'], '/imports', { limit: pageSize, renewMs: whileRunning });
  const { items, isPending, error } = list;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <PageTitle>{importsText.title}</PageTitle>
        <div className="flex flex-wrap gap-3">
          {isAtLeast(role, 'admin') && <Button onClick={() => setStarting(true)}>{importsText.start}</Button>}
          <Button kind="primary" onClick={() => setChosen([])}>
            <Icon name="imports" size={16} />
            {uploadText.open}
          </Button>
        </div>
      </div>
      {isOver && (
        <p className="pointer-events-none fixed inset-3 z-10 grid place-items-center rounded-xl border-2 border-dashed border-accent bg-accent-wash/90 text-xl font-semibold text-accent">
          {uploadText.dropAnywhere}
        </p>
      )}
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-6 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <ImportTable imports={items} />}
      {!isPending && items.length === 0 && error === null && <FirstImport />}
      <MoreButton list={list} />
      {isStarting && <StartVendorImport onClose={() => setStarting(false)} />}
      {chosen !== null && <ImportFiles files={chosen} onChoose={setChosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function whileRunning(pages: readonly Page<ImportView>[]): number | false {
  return renewMs(
    pages,
    pages.some(({ data }) => data.some(({ status }) => status === 'running')),
  );
}
