import { Link } from '@tanstack/react-router';
import { useList } from '../../api/list.ts';
import { recipientNames } from '../../documents/document-table.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { uiText } from '../../ui/texts.ts';
import { Time } from '../../ui/time.tsx';
import { linkText } from './link-texts.ts';
import type { PublicLinkView } from './types.ts';

/** The documents that were made from a link, newest first. */
export function LinkDocuments({ link: { id: link, template } }: { link: PublicLinkView }) {
  const list = useList(
    ['documents', 'public-links', template.id, link, 'list'],
    '/templates/:id/links/:link/documents',
    {
      params: { id: template.id, link },
      limit: 20,
    },
  );
  const { items, hasNextPage, isFetchingNextPage, isPending, error, more } = list;
  const { title, recipients, status, updated } = linkText.documentColumns;
  const cell = 'py-3 pr-4 last:pr-0 max-sm:p-0';
  return (
    <section aria-labelledby="documents" className="mt-10">
      <h2 id="documents" className="text-xl">
        {linkText.documents}
      </h2>
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {!isPending && items.length === 0 && error === null && <p className="mt-4 text-soft">{linkText.noDocuments}</p>}
      {items.length > 0 && (
        <table className="mt-3 w-full border-collapse max-sm:block">
          <thead className="max-sm:sr-only">
            <tr className="border-b border-rule text-left text-sm text-soft">
              {[title, recipients, status, updated].map((column) => (
                <th key={column} scope="col" className="py-2 pr-4 font-medium last:pr-0">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {items.map((document) => (
              <tr
                key={document.id}
                className="relative border-b border-rule hover:bg-wash has-[a:focus-visible]:bg-wash max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3"
              >
                <td className={`${cell} sm:w-[40%]`}>
                  <Link
                    to="/documents/$id"
                    params={{ id: document.id }}
                    search={{}}
                    className="line-clamp-2 font-semibold after:absolute after:inset-0 hover:text-accent"
                  >
                    <bdi>{document.title}</bdi>
                  </Link>
                </td>
                <td className={`${cell} text-soft max-sm:order-3 max-sm:text-sm`}>
                  <bdi className="line-clamp-1">{recipientNames(document)}</bdi>
                </td>
                <td className={cell}>
                  <StatusBadge status={document.status} />
                </td>
                <td className={`${cell} text-sm whitespace-nowrap text-soft max-sm:order-4`}>
                  <Time at={document.updated_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button className="mt-4 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {uiText.more}
        </Button>
      )}
    </section>
  );
}
