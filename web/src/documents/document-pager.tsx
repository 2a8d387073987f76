import { getRouteApi, useRouter, useRouterState } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { withValue } from './document-search.ts';
import { documentsText } from './texts.ts';

const route = getRouteApi('/documents');

/**
 * Links to the next and previous page. Cursors only go forward, so "previous" is the browser's back button. On a page that
 * was opened by its address it leads to the first page.
 */
export function DocumentPager({ after, next }: { after: string | undefined; next: string | null }) {
  const navigate = route.useNavigate();
  const { history } = useRouter();
  const wasPaged = useRouterState({ select: ({ location }) => location.state.paged === true });
  if (after === undefined && next === null) return null;
  const toStart = () => navigate({ search: (before) => withValue(before, 'after', '') });
  const goOn = () =>
    navigate({
      search: (before) => withValue(before, 'after', next ?? ''),
      state: { paged: true },
    });
  return (
    <nav aria-label={documentsText.pager} className="mt-4 flex justify-end gap-3">
      <Button disabled={after === undefined} onClick={() => (wasPaged ? history.back() : void toStart())}>
        {wasPaged || after === undefined ? documentsText.previous : documentsText.toStart}
      </Button>
      <Button disabled={next === null} onClick={() => void goOn()}>
        {documentsText.next}
      </Button>
    </nav>
  );
}
