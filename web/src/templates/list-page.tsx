import { getRouteApi, Link } from '@tanstack/react-router';
import { useList } from '../api/list.ts';
import { readDocumentSearch } from '../documents/document-search.ts';
import { FolderFilter, FolderNote } from '../documents/folder-choice.tsx';
import { folderText } from '../documents/folder-texts.ts';
import { useFolders } from '../documents/use-folders.ts';
import { BackLink } from '../ui/back-link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { controlClass } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { useTyped } from '../ui/use-typed.ts';
import { TemplateTable } from './template-table.tsx';
import { templatesText } from './texts.ts';

const route = getRouteApi('/templates');

export function ListPage() {
  const { q = '', folder: asked } = readDocumentSearch({ ...route.useSearch() });
  const folder = useFolders()?.find(({ id }) => id === asked);
  const navigate = route.useNavigate();
  const isFiltered = q !== '' || asked !== undefined;
  // The key is below `documents`, so that live updates refresh it.
  const list = useList(['documents', 'templates', q, asked], '/templates', { query: { q, folder: asked } });
  const { items, isPending, isPlaceholderData, error } = list;
  const isEmpty = !isPending && items.length === 0 && error === null;
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0 wrap-anywhere">
          {asked !== undefined && (
            <BackLink to="/templates" search={{}}>
              {templatesText.title}
            </BackLink>
          )}
          <PageTitle>{folder?.name ?? (asked === 'none' ? folderText.none : templatesText.title)}</PageTitle>
        </div>
        {folder?.can_edit !== false && (
          <Link
            to="/templates/new"
            search={folder === undefined ? {} : { folder: folder.id }}
            className={buttonClass('primary')}
          >
            <Icon name="plus" size={16} />
            {templatesText.new}
          </Link>
        )}
      </div>
      <FolderNote folder={asked} />
      {!(isEmpty && !isFiltered) && <Search q={q} />}
      <FolderFilter
        value={asked ?? ''}
        onChange={(value) =>
          void navigate({ search: { ...(q === '' ? {} : { q }), ...(value === '' ? {} : { folder: value }) } })
        }
      />
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-6 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <TemplateTable templates={items} isStale={isPlaceholderData} />}
      {isEmpty && (isFiltered ? <NothingFound /> : <FirstTemplate />)}
      <MoreButton list={list} />
    </>
  );
}

function Search({ q }: { q: string }) {
  const navigate = route.useNavigate();
  const [typed, setTyped] = useTyped(q, (words) => {
    void navigate({
      search: ({ folder }) => ({ ...(words === '' ? {} : { q: words }), ...(folder === undefined ? {} : { folder }) }),
      replace: true,
    });
  });
  return (
    <search className="mt-4 block">
      <input
        type="search"
        aria-label={templatesText.search}
        placeholder={templatesText.search}
        className={controlClass}
        value={typed}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
      />
    </search>
  );
}

function FirstTemplate() {
  return (
    <EmptyState title={templatesText.emptyTitle}>
      <p>{templatesText.emptyText}</p>
      <p className="text-soft">{templatesText.emptyHow}</p>
    </EmptyState>
  );
}

function NothingFound() {
  return (
    <EmptyState title={templatesText.nothingFound}>
      <p className="text-soft">{templatesText.nothingFoundText}</p>
      <p>
        <Link to="/templates" search={{}} className="font-semibold text-accent underline">
          {templatesText.clear}
        </Link>
      </p>
    </EmptyState>
  );
}
