import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { showAnswer } from '../api/show-answer.ts';
import { fill } from '../language.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Menu } from '../ui/menu.tsx';
import { Problem } from '../ui/problem.tsx';
import { type DocumentSearch, readDocumentSearch } from './document-search.ts';
import { documentsText } from './texts.ts';

const route = getRouteApi('/documents');
const text = documentsText.views;
const queryKey = ['document-views'];

type Views = AnswerOf<'GET', '/documents/views'>;

/** A menu of the views that the person saved, to open, save and delete them. */
export function SavedViews({ search }: { search: DocumentSearch }) {
  const navigate = route.useNavigate();
  const [asked, setAsked] = useState<'save' | 'manage' | null>(null);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/documents/views', { signal }),
    staleTime: 60_000,
  });
  const views = data?.data ?? [];
  const address = queryOf(search);
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        label={text.title}
        className={buttonClass()}
        groups={[
          views.map(({ name, search: saved }) => ({
            name,
            isChecked: saved === address,
            act: () => void navigate({ search: readDocumentSearch(Object.fromEntries(new URLSearchParams(saved))) }),
          })),
          [
            { name: text.save, act: () => setAsked('save') },
            ...(views.length === 0 ? [] : [{ name: text.manage, act: () => setAsked('manage') }]),
          ],
        ]}
      >
        <span aria-hidden="true">{text.title}</span>
      </Menu>
      {asked === 'save' && <SaveDialog search={address} onClose={close} />}
      {asked === 'manage' && <ManageDialog views={views} onClose={close} />}
    </>
  );
}

/** Returns the filters and the order as the query of an address, without the page. */
function queryOf({ after: _page, ...search }: DocumentSearch): string {
  return String(new URLSearchParams(Object.entries(search).toSorted(([a], [b]) => a.localeCompare(b))));
}

function SaveDialog({ search, onClose }: { search: string; onClose: () => void }) {
  const show = useShow();
  return (
    <ConfirmDialog
      title={text.saveTitle}
      action={text.saveAction}
      failures={text.failures}
      onClose={onClose}
      onConfirm={(form) => api.post('/documents/views', { body: { name: form.get('name'), search } }).then(show)}
    >
      <p>{text.saveText}</p>
      <TextField name="name" label={text.name} required maxLength={60} autoComplete="off" />
    </ConfirmDialog>
  );
}

function ManageDialog({ views, onClose }: { views: Views['data']; onClose: () => void }) {
  const show = useShow();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (name: string) => api.post('/documents/views/remove', { body: { name } }),
    onSuccess: show,
  });
  return (
    <Dialog title={text.manageTitle} onClose={onClose}>
      {views.length === 0 && <p className="text-soft">{text.none}</p>}
      <ul className="max-h-80 overflow-y-auto">
        {views.map(({ name }) => (
          <li key={name} className="flex items-center justify-between gap-3 border-b border-rule py-2">
            <bdi className="min-w-0 font-semibold wrap-anywhere">{name}</bdi>
            <Button
              kind="danger"
              isBusy={isPending}
              aria-label={fill(text.removeOne, { name })}
              onClick={() => mutate(name)}
            >
              {text.remove}
            </Button>
          </li>
        ))}
      </ul>
      <Problem of={error} className="mt-4" />
    </Dialog>
  );
}

/** Shows the views that the server answered with. */
function useShow(): (views: Views) => Promise<void> {
  const queryClient = useQueryClient();
  return (views) => showAnswer(queryClient, queryKey, views);
}
