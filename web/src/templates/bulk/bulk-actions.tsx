import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useDocument } from '../../documents/document-query.ts';
import { count } from '../../language.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { bulkText } from './bulk-texts.ts';
import type { BulkSendDetail } from './types.ts';

type Action = 'start' | 'cancel' | 'delete';

/** What can be done with a bulk send now, each after a question. Viewers of the template's folder are offered nothing. */
export function BulkActions({ templateId, bulkSend }: { templateId: string; bulkSend: BulkSendDetail }) {
  const { status, rows, is_outdated } = bulkSend;
  const [asked, setAsked] = useState<Action | null>(null);
  const dialog = { templateId, bulkSend, onClose: () => setAsked(null) };
  if (useDocument(templateId).document?.is_read_only !== false) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'checked' && rows.ready > 0 && !is_outdated && (
        <Button kind="primary" onClick={() => setAsked('start')}>
          {count(rows.ready, bulkText.send)}
        </Button>
      )}
      {status === 'running' && <Button onClick={() => setAsked('cancel')}>{bulkText.cancel}</Button>}
      {status === 'checked' && (
        <Button kind="danger" onClick={() => setAsked('delete')}>
          {bulkText.delete}
        </Button>
      )}
      {asked === 'start' && <StartDialog {...dialog} />}
      {asked === 'cancel' && <CancelDialog {...dialog} />}
      {asked === 'delete' && <DeleteDialog {...dialog} />}
    </div>
  );
}

interface BulkDialogProps {
  templateId: string;
  bulkSend: BulkSendDetail;
  onClose: () => void;
}

function StartDialog({ templateId, bulkSend: { id: bulk, rows }, onClose }: BulkDialogProps) {
  const renew = useRenew(templateId);
  return (
    <ConfirmDialog
      title={count(rows.ready, bulkText.sendTitle)}
      action={count(rows.ready, bulkText.send)}
      failures={bulkText.failures.start}
      onClose={onClose}
      onConfirm={async () => {
        const body = { skip_faulty: rows.faulty > 0 };
        await api.post('/templates/:id/bulk-sends/:bulk/start', { params: { id: templateId, bulk }, body });
        await renew();
      }}
    >
      <p>{bulkText.sendText}</p>
      {rows.faulty > 0 && <p>{count(rows.faulty, bulkText.leftOut)}</p>}
    </ConfirmDialog>
  );
}

function CancelDialog({ templateId, bulkSend: { id: bulk }, onClose }: BulkDialogProps) {
  const renew = useRenew(templateId);
  return (
    <ConfirmDialog
      title={bulkText.cancelTitle}
      action={bulkText.cancel}
      isDangerous
      failures={bulkText.failures.cancel}
      onClose={onClose}
      onConfirm={async () => {
        await api.post('/templates/:id/bulk-sends/:bulk/cancel', { params: { id: templateId, bulk } });
        await renew();
      }}
    >
      <p>{bulkText.cancelText}</p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ templateId, bulkSend: { id: bulk }, onClose }: BulkDialogProps) {
  const renew = useRenew(templateId);
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={bulkText.deleteTitle}
      action={bulkText.delete}
      isDangerous
      failures={bulkText.failures.delete}
      onClose={onClose}
      onConfirm={async () => {
        await api.remove('/templates/:id/bulk-sends/:bulk', { params: { id: templateId, bulk } });
        await navigate({ to: '/templates/$id/bulk', params: { id: templateId } });
        await renew();
      }}
    >
      <p>{bulkText.deleteText}</p>
    </ConfirmDialog>
  );
}

/** Refreshes the bulk sends of a template. */
function useRenew(templateId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['documents', 'bulk-sends', templateId] });
}
