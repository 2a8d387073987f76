import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { useRequestIds } from '../../api/use-request-ids.ts';
import { useDocument } from '../../documents/document-query.ts';
import type { DocumentDetail } from '../../documents/types.ts';
import { fill, formatNumber } from '../../language.ts';
import { FailedPage, NotFoundPage } from '../../shell/notice-pages.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Problem } from '../../ui/problem.tsx';
import { uiText } from '../../ui/texts.ts';
import { Time } from '../../ui/time.tsx';
import { BackToTemplate } from '../back-to-template.tsx';
import { LinkRow, LinkTable, linkCell } from '../link-table.tsx';
import { LinkFields, settingsIn } from './link-fields.tsx';
import { LinkStatus } from './link-status.tsx';
import { linkText } from './link-texts.ts';
import type { PublicLinkView } from './types.ts';

const route = getRouteApi('/templates/$id/links');

/** Lists the public links of a template, and makes new ones. */
export function LinksPage() {
  const { id } = route.useParams();
  const { document: template, error } = useDocument(id);
  const [isNew, setNew] = useState(false);
  if (template === undefined)
    return error === null ? <p className="text-soft">{uiText.loading}</p> : <FailedPage error={error} />;
  if (!template.is_template) return <NotFoundPage />;
  const isDeleted = template.status === 'voided';
  return (
    <article>
      <BackToTemplate template={template} />
      <div className="mt-1 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <PageTitle of={template.title}>{linkText.title}</PageTitle>
          <p className="mt-2 text-soft">
            <bdi>{template.title}</bdi>
          </p>
        </div>
        {!isDeleted && !template.is_read_only && (
          <Button kind="primary" onClick={() => setNew(true)}>
            {linkText.new}
          </Button>
        )}
      </div>
      <p className="mt-6 max-w-2xl">{isDeleted ? linkText.deleted : linkText.lead}</p>
      <Links id={id} />
      {isNew && <NewLinkDialog template={template} onClose={() => setNew(false)} />}
    </article>
  );
}

function NewLinkDialog({ template, onClose }: { template: DocumentDetail; onClose: () => void }) {
  const { id, title, language } = template;
  const named = useRequestIds();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const values = { name: null, language, ends_at: null, documents_max: 100, one_per_email: true };
  return (
    <ConfirmDialog
      title={linkText.newTitle}
      action={linkText.create}
      failures={linkText.failures}
      onClose={onClose}
      onConfirm={async (form) => {
        const body = named(settingsIn(form, null));
        const { id: link } = await api.post('/templates/:id/links', { params: { id }, body });
        await queryClient.invalidateQueries({ queryKey: ['documents', 'public-links', id] });
        await navigate({ to: '/templates/$id/links/$link', params: { id, link } });
      }}
    >
      <LinkFields values={values} title={title} />
    </ConfirmDialog>
  );
}

function Links({ id }: { id: string }) {
  // The key is below `documents`, so that live updates refresh it.
  const list = useList(['documents', 'public-links', id], '/templates/:id/links', { params: { id }, limit: 20 });
  const { items, isPending, error } = list;
  if (isPending) return <p className="mt-8 text-soft">{uiText.loading}</p>;
  if (items.length === 0)
    return error === null ? (
      <p className="mt-8 text-soft">{linkText.empty}</p>
    ) : (
      <Problem of={error} className="mt-8" />
    );
  const { name, status, documents, created } = linkText.columns;
  return (
    <section aria-labelledby="links" className="mt-10">
      <h2 id="links" className="text-xl">
        {linkText.links}
      </h2>
      <LinkTable columns={[name, status, documents, created]}>
        {items.map((link) => (
          <Row key={link.id} link={link} />
        ))}
      </LinkTable>
      <MoreButton list={list} />
    </section>
  );
}

function Row({ link }: { link: PublicLinkView }) {
  const { id, name, template, documents, documents_max, created_at } = link;
  return (
    <LinkRow>
      <td className={`${linkCell} sm:w-[45%]`}>
        <Link
          to="/templates/$id/links/$link"
          params={{ id: template.id, link: id }}
          className="line-clamp-2 font-semibold wrap-anywhere after:absolute after:inset-0 hover:text-accent"
        >
          <bdi>{name ?? template.title}</bdi>
        </Link>
      </td>
      <td className={linkCell}>
        <LinkStatus of={link} />
      </td>
      <td className={`${linkCell} text-sm text-soft tabular-nums`}>
        {fill(linkText.used, { used: formatNumber(documents), max: formatNumber(documents_max) })}
      </td>
      <td className={`${linkCell} text-sm whitespace-nowrap text-soft`}>
        <Time at={created_at} />
      </td>
    </LinkRow>
  );
}
