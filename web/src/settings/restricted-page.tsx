import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { DocumentType } from '../../../src/document-types.ts';
import type { RestrictedDocument } from '../../../src/documents/restricted-documents.ts';
import { api } from '../api/client.ts';
import { useList } from '../api/list.ts';
import { showAnswer } from '../api/show-answer.ts';
import { RestrictedAs } from '../documents/restricted-as.tsx';
import { restrictedKindNames } from '../documents/restricted-kinds.ts';
import { typeNames } from '../documents/type-names.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextField } from '../ui/field.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { Choices } from './choices.tsx';
import { meanwhileFailures } from './meanwhile-texts.ts';
import { restrictedText } from './restricted-texts.ts';
import { Cell, Row, Rows } from './rows.tsx';
import { TabHead } from './tab-head.tsx';

export function RestrictedPage() {
  const [isAsking, setAsking] = useState(false);
  const list = useList(['documents', 'restricted'], '/restricted-papers');
  const { items, isPending, error } = list;
  return (
    <>
      <TabHead action={<Button onClick={() => setAsking(true)}>{restrictedText.restrict}</Button>}>
        {restrictedText.intro}
      </TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {!isPending && error === null && items.length === 0 && (
        <EmptyState title={restrictedText.emptyTitle}>
          <p>{restrictedText.emptyText}</p>
        </EmptyState>
      )}
      {items.length > 0 && <DocumentRows documents={items} />}
      <MoreButton list={list} />
      <RestrictedTypes />
      {isAsking && <RestrictDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function DocumentRows({ documents }: { documents: readonly RestrictedDocument[] }) {
  const { columns } = restrictedText;
  return (
    <Rows caption={restrictedText.list} columns={[columns.title, columns.kind, columns.type, columns.status]}>
      {documents.map(({ id, title, restricted_kind, type, status }) => (
        <Row key={id}>
          <Cell className="font-semibold">
            <Link to="/documents/$id" params={{ id }} className="text-accent underline-offset-4 hover:underline">
              <bdi>{title}</bdi>
            </Link>
          </Cell>
          <Cell label={columns.kind}>{restrictedKindNames[restricted_kind]}</Cell>
          <Cell label={columns.type}>{typeNames[type]}</Cell>
          <Cell label={columns.status}>
            <StatusBadge status={status} />
          </Cell>
        </Row>
      ))}
    </Rows>
  );
}

function RestrictDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const restrict = async (form: FormData) => {
    const documentId = String(form.get('document_id')).trim();
    await api.post('/restricted-papers', { body: { document_id: documentId, kind: form.get('kind') } });
    await queryClient.invalidateQueries({ queryKey: ['documents'] });
  };
  return (
    <ConfirmDialog
      title={restrictedText.restrictTitle}
      action={restrictedText.restrict}
      failures={restrictedText.failures}
      onConfirm={restrict}
      onClose={onClose}
    >
      <p>{restrictedText.restrictText}</p>
      <TextField name="document_id" label={restrictedText.documentId} hint={restrictedText.documentHint} required />
      <RestrictedAs />
    </ConfirmDialog>
  );
}

/** The types that the company restricts. */
function RestrictedTypes() {
  const [asked, ask] = useState<readonly DocumentType[] | null>(null);
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['restricted types'],
    queryFn: () => api.get('/restricted-types'),
  });
  const save = async (form: FormData) => {
    const changed = await api.post('/restricted-types', { body: { types: form.getAll('types'), shown: asked } });
    await showAnswer(queryClient, ['restricted types'], changed);
  };
  return (
    <section aria-labelledby="restricted-types" className="mt-8 max-w-2xl">
      <h2 id="restricted-types" className="text-xl">
        {restrictedText.typesTitle}
      </h2>
      <p className="mt-1 text-soft">{restrictedText.typesText}</p>
      <Problem of={error} className="mt-2" />
      {data !== undefined && (
        <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="font-medium">
            {data.types.map((type) => typeNames[type]).join(', ') || restrictedText.noTypes}
          </p>
          <Button onClick={() => ask(data.types)}>{restrictedText.changeTypes}</Button>
        </div>
      )}
      {asked !== null && (
        <ConfirmDialog
          title={restrictedText.changeTypesTitle}
          action={restrictedText.save}
          failures={meanwhileFailures}
          onConfirm={save}
          onClose={() => ask(null)}
        >
          <Choices
            legend={restrictedText.columns.type}
            name="types"
            choices={Object.entries(typeNames).map(([value, name]) => ({ value, label: value, hint: name }))}
            chosen={asked}
          />
        </ConfirmDialog>
      )}
    </section>
  );
}
