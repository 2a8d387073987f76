import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useBlocker, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useCallback, useState, useSyncExternalStore } from 'react';
import { api } from '../api/client.ts';
import { download } from '../api/download.ts';
import { fill } from '../language.ts';
import { FailedPage } from '../shell/notice-pages.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { PagePair } from './page-pair.tsx';
import { RevertDialog } from './revert-dialog.tsx';
import { SaveState } from './save-state.tsx';
import { unsavedPages } from './text-state.ts';
import { createTextStore } from './text-store.ts';
import { textText } from './text-texts.ts';
import type { TextView } from './types.ts';
import { useSaving } from './use-saving.ts';

const route = getRouteApi('/documents/$id/unlocked');
const formats = ['md', 'html', 'json'] as const;

export function TextPage() {
  const { id } = route.useParams();
  const { data, error } = useQuery({
    // The key is not below `documents`, so live updates do not reload the text while it is edited.
    queryKey: ['unlocked', id, 'all'],
    queryFn: ({ signal }) => api.get('/documents/:id/unlocked', { params: { id }, signal }),
    staleTime: 0,
  });
  if (data === undefined && error !== null) return <FailedPage error={error} />;
  if (data === undefined) return <p className="text-soft">{uiText.loading}</p>;
  return <Editor key={id} id={id} view={data} />;
}

function Editor({ id, view }: { id: string; view: TextView }) {
  const [store] = useState(createTextStore);
  const { dispatch } = store;
  const text = useSyncExternalStore(store.subscribe, store.read);
  const saving = useSaving(id, store, text);
  const [reverted, setReverted] = useState<number | 'all' | null>(null);
  const [isTooMuch, setTooMuch] = useState(false);
  const onTooMuch = useCallback(() => setTooMuch(true), []);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isUnsaved = unsavedPages(text).length > 0;
  useBlocker({
    shouldBlockFn: () => isUnsaved && !confirm(textText.leave),
    enableBeforeUnload: () => isUnsaved,
  });
  const readView = () => queryClient.invalidateQueries({ queryKey: ['unlocked', id, 'all'] });
  /** Discards the local text. The page then shows the text of the server. */
  const saveFirst = async (then: () => void) => {
    if (!(await saving.save())) return;
    await readView();
    then();
  };
  const discard = async () => {
    dispatch({ type: 'forgotten' });
    await queryClient.resetQueries({ queryKey: ['unlocked', id] });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Ctrl with Alt may be AltGr, which some keyboards need for letters.
    if ((!event.ctrlKey && !event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
    if (key === 's') void saving.save();
    else if (isRedo) dispatch({ type: 'redone' });
    else if (key === 'z') dispatch({ type: 'undone' });
    else return;
    event.preventDefault();
  };
  const changed = view.changed_pages.slice(0, pagesListedMax);
  const exporting = useMutation({
    mutationFn: (format: string) => download(`/documents/${id}/unlocked/export`, { format }),
  });
  const exports = formats.map((format) => ({
    name: textText.formats[format],
    act: () => saveFirst(() => exporting.mutate(format)),
  }));
  return (
    <article onKeyDown={onKeyDown} onInput={() => setTooMuch(false)}>
      <BackLink to="/documents/$id" params={{ id }} search={{}}>
        <bdi>{view.title}</bdi>
      </BackLink>
      <div className="mt-1 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <PageTitle of={view.title}>{textText.title}</PageTitle>
          <p className="mt-2 max-w-2xl text-soft">{textText.how}</p>
          <p className="mt-1 max-w-2xl text-sm text-soft max-lg:hidden">{textText.keys}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            onClick={() => void saveFirst(() => void navigate({ to: '/documents/$id/unlocked/pdf', params: { id } }))}
          >
            {textText.render}
          </Button>
          <Menu label={textText.export} className={buttonClass()} groups={[exports]}>
            <span aria-hidden="true">{textText.export}</span>
          </Menu>
          {(changed.length > 0 || isUnsaved) && (
            <Menu
              label={textText.more}
              className={buttonClass('quiet')}
              groups={[
                changed.map((page) => ({
                  name: fill(textText.revertPage, { n: page }),
                  act: () => saveFirst(() => setReverted(page)),
                })),
                [{ name: textText.revertAll, act: () => saveFirst(() => setReverted('all')) }],
              ]}
            >
              <Icon name="more" />
            </Menu>
          )}
        </div>
      </div>
      <div className="sticky top-0 z-10 -mx-4 mt-3 flex flex-wrap items-center gap-2 border-b border-rule bg-page px-4 py-2 max-lg:top-[3.6rem] sm:mx-0 sm:px-0">
        <Button disabled={text.past.length === 0} onClick={() => dispatch({ type: 'undone' })}>
          {textText.undo}
        </Button>
        <Button disabled={text.future.length === 0} onClick={() => dispatch({ type: 'redone' })}>
          {textText.redo}
        </Button>
        <SaveState saving={saving} />
      </div>
      <Problem of={exporting.error} className="my-3" />
      {saving.conflict !== null && <ConflictNotice id={id} page={saving.conflict} saving={saving} store={store} />}
      {isTooMuch && (
        <p role="alert" className="my-3 rounded-lg bg-warn-wash px-3.5 py-2.5 text-warn">
          {textText.tooMuch}
        </p>
      )}
      <ol data-pages="" className="mt-4 grid gap-6">
        {Array.from({ length: view.pages }, (_, index) => {
          const page = index + 1;
          const caret = text.caret?.page === page ? text.caret : null;
          return (
            <PagePair
              key={page}
              {...{ id, page, caret, store }}
              all={view.pages}
              state={text.pages.get(page)}
              onTooMuch={onTooMuch}
            />
          );
        })}
      </ol>
      {reverted !== null && (
        <RevertDialog
          id={id}
          view={view}
          page={reverted === 'all' ? null : reverted}
          onClose={() => setReverted(null)}
          onDone={discard}
        />
      )}
    </article>
  );
}

/** Reverts a whole long document, in the menu. */
const pagesListedMax = 12;
