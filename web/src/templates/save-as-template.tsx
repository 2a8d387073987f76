import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { actionText } from '../documents/action-texts.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { templatesText } from './texts.ts';

/** Saves a draft as a template and opens it. */
export function SaveAsTemplateDialog({ documentId, onClose }: { documentId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const named = useRequestIds();
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={templatesText.saveTitle}
      action={actionText.saveAsTemplate}
      failures={templatesText.failures.save}
      onClose={onClose}
      onConfirm={async () => {
        const { id } = await api.post('/documents/:id/template', { params: { id: documentId }, body: named({}) });
        await queryClient.invalidateQueries({ queryKey: ['documents'] });
        await navigate({ to: '/templates/$id', params: { id }, search: {} });
      }}
    >
      <p>{templatesText.saveText}</p>
    </ConfirmDialog>
  );
}
