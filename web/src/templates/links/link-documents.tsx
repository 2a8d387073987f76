import { Link } from '@tanstack/react-router';
import { useList } from '../../api/list.ts';
import { recipientNames } from '../../documents/document-table.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { uiText } from '../../ui/texts.ts';
import { Time } from '../../ui/time.tsx';
import { LinkRow, LinkTable, linkCell } from '../link-table.tsx';
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
  const { items, isPending, error } = list;
  const { title, recipients, status, updated } = linkText.documentColumns;
  return (
    <section aria-labelledby="documents" className="mt-10">
      <h2 id="documents" className="text-xl">
        {linkText.documents}
      </h2>
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {!isPending && items.length === 0 && error === null && <p className="mt-4 text-soft">{linkText.noDocuments}</p>}
      {items.length > 0 && (
        <LinkTable columns={[title, recipients, status, updated]}>
          {items.map((document) => (
            <LinkRow key={document.id}>
              <td className={`${linkCell} sm:w-[40%]`}>
                <Link
                  to="/documents/$id"
                  params={{ id: document.id }}
                  search={{}}
                  className="line-clamp-2 font-semibold after:absolute after:inset-0 hover:text-accent"
                >
                  <bdi>{document.title}</bdi>
                </Link>
              </td>
              <td className={`${linkCell} text-soft max-sm:order-3 max-sm:text-sm`}>
                <bdi className="line-clamp-1">{recipientNames(document)}</bdi>
              </td>
              <td className={linkCell}>
                <StatusBadge status={document.status} />
              </td>
              <td className={`${linkCell} text-sm whitespace-nowrap text-soft max-sm:order-4`}>
                <Time at={document.updated_at} />
              </td>
            </LinkRow>
          ))}
        </LinkTable>
      )}
      <MoreButton list={list} />
    </section>
  );
}
