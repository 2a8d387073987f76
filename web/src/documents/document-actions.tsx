import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isAtLeast, useMe } from '../api/me.ts';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { DownloadLink } from '../ui/download-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { actionText } from './action-texts.ts';
import { AttachButton } from './attach-button.tsx';
import { useFileChanges } from './file-changes.ts';
import { folderText } from './folder-texts.ts';
import {
  CertificateDialog,
  CopyDialog,
  LiftDialog,
  MirrorDialog,
  RemindDialog,
  RestrictDialog,
  ReturnDialog,
  SendDialog,
  SubmitDialog,
  VoidDialog,
} from './lazy-dialogs.ts';
import { MoveDialog } from './lazy-move-dialog.ts';
import { reviewText } from './review-texts.ts';
import type { DocumentDetail } from './types.ts';
import { useFolders } from './use-folders.ts';

const SaveAsTemplateDialog = lazyDialog<{ documentId: string; onClose: () => void }>(
  async () => (await import('../templates/save-as-template.tsx')).SaveAsTemplateDialog,
);

type Asked =
  | 'send'
  | 'submit'
  | 'return'
  | 'remind'
  | 'void'
  | 'copy'
  | 'template'
  | 'certificate'
  | 'mirror'
  | 'restrict'
  | 'lift'
  | 'move';

/** The possible actions on the document, most important first. Each asks for confirmation. */
export function DocumentActions({ document }: { document: DocumentDetail }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const queryClient = useQueryClient();
  const isAdmin = isAtLeast(useMe().role, 'admin');
  const hasFolders = (useFolders() ?? []).length > 0;
  const { id, actions, file } = document;
  // Nothing is sent or copied without a file that is on its way.
  const isUploading = useFileChanges(id).pending > 0;
  const mayCopy = (action: 'copy' | 'template' | 'mirror') => actions.includes(action) && !isUploading;
  const dialog = {
    document,
    onClose: () => setAsked(null),
    onDone: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
  };
  const rare = [
    ...(actions.includes('review') && isAdmin && !isUploading
      ? [{ name: reviewText.submit, act: () => setAsked('submit') }]
      : []),
    ...(mayCopy('copy') ? [{ name: actionText.copy, act: () => setAsked('copy') }] : []),
    ...(mayCopy('template') ? [{ name: actionText.saveAsTemplate, act: () => setAsked('template') }] : []),
    ...(actions.includes('certificate') ? [{ name: actionText.certificate, act: () => setAsked('certificate') }] : []),
    ...(actions.includes('move') && hasFolders ? [{ name: folderText.move, act: () => setAsked('move') }] : []),
    ...(mayCopy('mirror') ? [{ name: reviewText.makeMirror, act: () => setAsked('mirror') }] : []),
    ...(actions.includes('restrict') ? [{ name: reviewText.restrict, act: () => setAsked('restrict') }] : []),
    ...(actions.includes('lift_restriction')
      ? [{ name: reviewText.liftRestriction, act: () => setAsked('lift') }]
      : []),
  ];
  return (
    <div className="flex flex-wrap gap-2">
      {actions.includes('send') && !actions.includes('unschedule') && (
        <Button kind="primary" isBusy={isUploading} onClick={() => setAsked('send')}>
          {actionText.send}
        </Button>
      )}
      {actions.includes('review') && !isAdmin && (
        <Button isBusy={isUploading} onClick={() => setAsked('submit')}>
          {reviewText.submit}
        </Button>
      )}
      {actions.includes('return') && <Button onClick={() => setAsked('return')}>{reviewText.returnToDraft}</Button>}
      {actions.includes('edit') && (
        <Link to="/documents/$id/edit" params={{ id }} className={buttonClass()}>
          {actionText.edit}
        </Link>
      )}
      <AttachButton document={document} isEditable={actions.includes('edit')} />
      {actions.includes('edit') && file !== null && (
        <Link to="/documents/$id/fields" params={{ id }} className={buttonClass()}>
          {actionText.placeFields}
        </Link>
      )}
      {actions.includes('preview') && (
        <Link to="/documents/$id/preview" params={{ id }} className={buttonClass()}>
          {actionText.previewAsSigner}
        </Link>
      )}
      {actions.includes('download') && (
        <DownloadLink path={`/documents/${id}/pdf`} className={buttonClass('primary')}>
          <Icon name="download" size={16} />
          {actionText.download}
        </DownloadLink>
      )}
      {file !== null && (
        <DownloadLink path={`/documents/${id}/original`} className={buttonClass()}>
          <Icon name="download" size={16} />
          {actionText.downloadOriginal}
        </DownloadLink>
      )}
      {actions.includes('remind') && <Button onClick={() => setAsked('remind')}>{actionText.remind}</Button>}
      {actions.includes('void') && (
        <Button kind="danger" onClick={() => setAsked('void')}>
          {actionText.voidDocument}
        </Button>
      )}
      {rare.length > 0 && (
        // Opens to the left: on phones there is no room on the right.
        <div className="max-sm:ml-auto">
          <Menu
            label={actionText.more}
            groups={[rare]}
            className="flex size-9 items-center justify-center rounded-lg border border-edge bg-raised hover:bg-wash max-lg:size-11"
          >
            <Icon name="more" />
          </Menu>
        </div>
      )}
      {asked === 'send' && <SendDialog {...dialog} />}
      {asked === 'submit' && <SubmitDialog {...dialog} />}
      {asked === 'return' && <ReturnDialog {...dialog} />}
      {asked === 'remind' && <RemindDialog {...dialog} />}
      {asked === 'void' && <VoidDialog {...dialog} />}
      {asked === 'copy' && <CopyDialog {...dialog} />}
      {asked === 'template' && <SaveAsTemplateDialog documentId={id} onClose={dialog.onClose} />}
      {asked === 'certificate' && <CertificateDialog {...dialog} />}
      {asked === 'mirror' && <MirrorDialog {...dialog} />}
      {asked === 'restrict' && <RestrictDialog {...dialog} />}
      {asked === 'move' && <MoveDialog documents={[document]} onClose={dialog.onClose} />}
      {asked === 'lift' && <LiftDialog {...dialog} />}
    </div>
  );
}
