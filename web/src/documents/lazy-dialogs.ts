import type { ComponentType } from 'react';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import type { DocumentDialogProps } from './document-dialogs.tsx';

type Dialogs = typeof import('./document-dialogs.tsx');

/** Dialogs of a document's page. Their script is loaded when the first of them opens. */
export const SendDialog = lazyDocumentDialog<DocumentDialogProps & { isNow?: boolean }>((module) => module.SendDialog);
export const RemindDialog = lazyDocumentDialog((module) => module.RemindDialog);
export const CopyDialog = lazyDocumentDialog((module) => module.CopyDialog);
export const CertificateDialog = lazyDocumentDialog((module) => module.CertificateDialog);
export const VoidDialog = lazyDocumentDialog((module) => module.VoidDialog);

function lazyDocumentDialog<Props extends DocumentDialogProps>(choose: (module: Dialogs) => ComponentType<Props>) {
  return lazyDialog<Props>(async () => choose(await import('./document-dialogs.tsx')));
}
