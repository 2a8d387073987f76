import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { recipientNames } from '../documents/document-table.tsx';
import type { DocumentSummary } from '../documents/types.ts';
import { useFolders } from '../documents/use-folders.ts';
import { fill } from '../language.ts';
import { useRowKeys } from '../shell/use-row-keys.ts';
import { buttonClass } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { templatesText } from './texts.ts';

const route = getRouteApi('/templates');

/** A table, or cards on phones. */
export function TemplateTable({ templates, isStale }: { templates: readonly DocumentSummary[]; isStale: boolean }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const { columns, use } = templatesText;
  return (
    <table className={`mt-5 w-full border-collapse max-sm:block ${isStale ? 'opacity-60' : ''}`}>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-rule text-left text-sm text-soft">
          {[columns.title, columns.recipients, columns.updated].map((name) => (
            <th key={name} scope="col" className="py-2 pr-4 font-medium">
              {name}
            </th>
          ))}
          <th scope="col" className="py-2">
            <span className="sr-only">{use}</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body} className="max-sm:block">
        {templates.map((template) => (
          <Row key={template.id} template={template} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ template }: { template: DocumentSummary }) {
  const { id, title, folder, updated_at } = template;
  const search = route.useSearch();
  const isReadOnly = useFolders()?.find((one) => one.id === folder)?.can_edit === false;
  return (
    <tr className="relative border-b border-rule hover:bg-wash has-[a:focus-visible]:bg-wash max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3">
      <td className="py-3 pr-4 max-sm:col-span-2 max-sm:p-0 sm:w-[40%]">
        <Link
          to="/templates/$id"
          params={{ id }}
          search={{}}
          state={{ list: search }}
          className="line-clamp-2 font-semibold after:absolute after:inset-0 hover:text-accent"
        >
          <bdi>{title}</bdi>
        </Link>
      </td>
      <td className="py-3 pr-4 text-soft max-sm:col-span-2 max-sm:p-0 max-sm:text-sm">
        <bdi className="line-clamp-1">{recipientNames(template)}</bdi>
      </td>
      <td className="py-3 pr-4 text-sm whitespace-nowrap text-soft max-sm:self-center max-sm:p-0">
        <Time at={updated_at} />
      </td>
      <td className="py-2 text-right max-sm:p-0">
        {!isReadOnly && (
          <Link
            to="/templates/$id/use"
            params={{ id }}
            aria-label={fill(templatesText.useOf, { title })}
            className={buttonClass('plain', 'relative')}
          >
            {templatesText.use}
          </Link>
        )}
      </td>
    </tr>
  );
}
