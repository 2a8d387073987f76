import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AttachButton } from './attach-button.tsx';
import { detailText } from './detail-texts.ts';
import { RemindDialog, SendDialog, VoidDialog } from './document-dialogs.tsx';
import type { DocumentDetail } from './types.ts';

type Asked = 'send' | 'remind' | 'void';

/** What may be done with the document as it is; each asks first. */
export function DocumentActions({ document }: { document: DocumentDetail }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const queryClient = useQueryClient();
  const { id, actions, file } = document;
  const dialog = {
    document,
    onClose: () => setAsked(null),
    onDone: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
  };
  return (
    <div className="flex flex-wrap gap-2">
      {actions.includes('edit') && <AttachButton document={document} onAttached={dialog.onDone} />}
      {actions.includes('edit') && file !== null && (
        <Link to="/documents/$id/fields" params={{ id }} className={buttonClass()}>
          {detailText.placeFields}
        </Link>
      )}
      {actions.includes('send') && (
        <Button kind="primary" onClick={() => setAsked('send')}>
          {detailText.send}
        </Button>
      )}
      {actions.includes('download') && (
        <a href={`/console/api/documents/${id}/pdf`} download className={buttonClass('primary')}>
          <Icon name="download" size={16} />
          {detailText.download}
        </a>
      )}
      {actions.includes('remind') && <Button onClick={() => setAsked('remind')}>{detailText.remind}</Button>}
      {actions.includes('void') && (
        <Button kind="danger" onClick={() => setAsked('void')}>
          {detailText.voidDocument}
        </Button>
      )}
      {asked === 'send' && <SendDialog {...dialog} />}
      {asked === 'remind' && <RemindDialog {...dialog} />}
      {asked === 'void' && <VoidDialog {...dialog} />}
    </div>
  );
}
