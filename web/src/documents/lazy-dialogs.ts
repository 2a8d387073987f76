import type { ComponentType } from 'react';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import type { DocumentDialogProps } from './document-dialogs.tsx';

/** Dialogs of a document's page. Their script is loaded when the first of its dialogs opens. */
const common = lazyFrom(() => import('./document-dialogs.tsx'));
export const SendDialog = common<DocumentDialogProps & { isNow?: boolean }>((module) => module.SendDialog);
export const RemindDialog = common((module) => module.RemindDialog);
export const CopyDialog = common((module) => module.CopyDialog);
export const CertificateDialog = common((module) => module.CertificateDialog);
export const VoidDialog = common((module) => module.VoidDialog);

const review = lazyFrom(() => import('./review-dialogs.tsx'));
export const SubmitDialog = review((module) => module.SubmitDialog);
export const ReturnDialog = review((module) => module.ReturnDialog);
export const MirrorDialog = review((module) => module.MirrorDialog);
export const RestrictDialog = review((module) => module.RestrictDialog);
export const LiftDialog = review((module) => module.LiftDialog);

const schedule = lazyFrom(() => import('./schedule-dialogs.tsx'));
export const ChangeDialog = schedule((module) => module.ChangeDialog);
export const CancelDialog = schedule((module) => module.CancelDialog);

function lazyFrom<Module>(load: () => Promise<Module>) {
  return <Props extends DocumentDialogProps = DocumentDialogProps>(choose: (module: Module) => ComponentType<Props>) =>
    lazyDialog<Props>(async () => choose(await load()));
}
