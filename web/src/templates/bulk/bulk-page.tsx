import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { dialogText } from '../../documents/dialog-texts.ts';
import { useDocument } from '../../documents/document-query.ts';
import { fill } from '../../language.ts';
import { FailedPage, NotFoundPage } from '../../shell/notice-pages.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { FileInput } from '../../ui/file-input.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Problem } from '../../ui/problem.tsx';
import { uiText } from '../../ui/texts.ts';
import { Time } from '../../ui/time.tsx';
import { BackToTemplate } from '../back-to-template.tsx';
import { LinkRow, LinkTable, linkCell } from '../link-table.tsx';
import { BulkStatus, countsOf } from './bulk-progress.tsx';
import { bulkText } from './bulk-texts.ts';
import type { BulkSendSummary } from './types.ts';

const route = getRouteApi('/templates/$id/bulk');

/** Takes a CSV file with one document in each row, and lists the files that were uploaded before. */
export function BulkPage() {
  const { id } = route.useParams();
  const { document: template, error } = useDocument(id);
  if (template === undefined)
    return error === null ? <p className="text-soft">{uiText.loading}</p> : <FailedPage error={error} />;
  if (!template.is_template) return <NotFoundPage />;
  const isDeleted = template.status === 'voided';
  return (
    <article>
      <BackToTemplate template={template} />
      <PageTitle of={template.title} className="mt-1">
        {bulkText.title}
      </PageTitle>
      <p className="mt-2 text-soft">
        <bdi>{template.title}</bdi>
      </p>
      {isDeleted && <p className="mt-6 max-w-2xl">{bulkText.deleted}</p>}
      {!isDeleted && !template.is_read_only && (
        <div className="mt-6 grid max-w-2xl gap-6">
          <p>{bulkText.lead}</p>
          <div>
            <DownloadLink path={`/templates/${id}/bulk-sends/sample`} className={buttonClass()}>
              <Icon name="download" size={16} />
              {bulkText.sample}
            </DownloadLink>
            <p className="mt-1 text-sm text-soft">{bulkText.sampleHint}</p>
          </div>
          <Upload id={id} />
        </div>
      )}
      <Files id={id} isReadOnly={template.is_read_only} />
    </article>
  );
}

type Outcome = AnswerOf<'POST', '/templates/:id/bulk-sends'>;

function Upload({ id }: { id: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables, data, error } = useMutation({
    mutationFn: (file: File) =>
      api.upload('/templates/:id/bulk-sends', { params: { id }, query: { name: file.name }, file }),
    onSuccess: async (answer) => {
      if (answer.outcome !== 'checked') return;
      await queryClient.invalidateQueries({ queryKey: ['documents', 'bulk-sends', id] });
      await navigate({ to: '/templates/$id/bulk/$bulk', params: { id, bulk: answer.bulk_send.id }, search: {} });
    },
  });
  return (
    <div>
      <FileInput
        label={bulkText.file}
        hint={bulkText.fileHint}
        accept="text/csv,.csv"
        takesAgain
        className="bg-raised"
        onChoose={([file]) => {
          if (file !== undefined && !isPending) mutate(file);
        }}
      >
        <Icon name="documents" />
        {isPending ? (
          <bdi>{fill(bulkText.checking, { name: variables.name })}</bdi>
        ) : (
          <>
            <span className="pointer-coarse:hidden">{bulkText.drop}</span>
            <span className="hidden pointer-coarse:inline">{bulkText.dropTouch}</span>
          </>
        )}
      </FileInput>
      <Problem of={error} failures={{ ...dialogText.failures.send, ...bulkText.failures.upload }} className="mt-4" />
      <div role="alert">{!isPending && data !== undefined && <Refused answer={data} />}</div>
    </div>
  );
}

/** Says why a file can't be used. */
function Refused({ answer }: { answer: Outcome }) {
  if (answer.outcome === 'checked') return null;
  return (
    <div className="mt-4 rounded-lg bg-bad-wash px-3.5 py-2.5 font-medium text-bad">
      {answer.outcome === 'unreadable' ? (
        <p>{fill(bulkText.unreadable[answer.fault] ?? '', { row: answer.row ?? '' })}</p>
      ) : (
        <>
          <p>{bulkText.wrongColumns}</p>
          <ul className="mt-1 list-disc pl-5">
            {answer.columns.map(({ code, name }) => (
              <li key={`${code} ${name}`}>
                {fill(code === 'missing_column' ? bulkText.missingColumn : bulkText.duplicateColumn, { name })}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Files({ id, isReadOnly }: { id: string; isReadOnly: boolean }) {
  // The key is below `documents`, so that live updates refresh it.
  const list = useList(['documents', 'bulk-sends', id], '/templates/:id/bulk-sends', { params: { id }, limit: 20 });
  const { items, isPending, error } = list;
  if (items.length === 0) {
    const isEmpty = isReadOnly && !isPending && error === null;
    return isEmpty ? <p className="mt-8 text-soft">{bulkText.empty}</p> : <Problem of={error} className="mt-8" />;
  }
  const { file, status, rows, uploaded } = bulkText.columns;
  return (
    <section aria-labelledby="files" className="mt-10">
      <h2 id="files" className="text-xl">
        {bulkText.files}
      </h2>
      <LinkTable columns={[file, status, rows, uploaded]}>
        {items.map((bulkSend) => (
          <FileRow key={bulkSend.id} templateId={id} bulkSend={bulkSend} />
        ))}
      </LinkTable>
      <MoreButton list={list} />
    </section>
  );
}

function FileRow({ templateId, bulkSend }: { templateId: string; bulkSend: BulkSendSummary }) {
  return (
    <LinkRow>
      <td className={`${linkCell} sm:w-[40%]`}>
        <Link
          to="/templates/$id/bulk/$bulk"
          params={{ id: templateId, bulk: bulkSend.id }}
          search={{}}
          className="line-clamp-2 font-semibold break-all after:absolute after:inset-0 hover:text-accent"
        >
          <bdi>{bulkSend.file_name}</bdi>
        </Link>
      </td>
      <td className={linkCell}>
        <BulkStatus of={bulkSend} />
      </td>
      <td className={`${linkCell} text-sm text-soft tabular-nums`}>{countsOf(bulkSend.rows)}</td>
      <td className={`${linkCell} text-sm whitespace-nowrap text-soft`}>
        <Time at={bulkSend.created_at} />
      </td>
    </LinkRow>
  );
}
