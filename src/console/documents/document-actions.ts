import {
  awaitsSignature,
  canBeCopied,
  canBeMirrored,
  canBeVoided,
  type Document,
  isUnsent,
} from '../../documents/document.ts';
import { mayHaveCompleteCertificate } from '../../signing/complete-certificate.ts';

type Rule = (document: Document, isAdmin: boolean) => boolean;

/** Documents in review can be changed by owners and admins only. */
export const mayDecide = ({ status }: Pick<Document, 'status'>, isAdmin: boolean): boolean =>
  status !== 'in_review' || isAdmin;
const mayChange: Rule = (document, isAdmin) => isUnsent(document.status) && mayDecide(document, isAdmin);

/** When each action is offered. The functions that perform an action check again. */
const rules = {
  edit: (document, isAdmin) => mayChange(document, isAdmin) && document.send_at === null,
  send: (document, isAdmin) => mayChange(document, isAdmin) && !document.is_template,
  schedule: (document, isAdmin) => mayChange(document, isAdmin) && !document.is_template,
  unschedule: (document, isAdmin) => mayChange(document, isAdmin) && document.send_at !== null,
  review: ({ status, is_template, send_at }) => status === 'draft' && !is_template && send_at === null,
  return: ({ status, send_at }, isAdmin) => status === 'in_review' && isAdmin && send_at === null,
  remind: ({ status, sent_mode }) => awaitsSignature(status) && sent_mode === 'live',
  download: ({ completed_at }) => completed_at !== null,
  certificate: mayHaveCompleteCertificate,
  void: (document, isAdmin) => mayDecide(document, isAdmin) && canBeVoided(document),
  template: (document, isAdmin) => mayChange(document, isAdmin) && !document.is_template,
  preview: ({ status }) => isUnsent(status),
  copy: canBeCopied,
  mirror: (document) => canBeMirrored(document) && canBeCopied(document),
  restrict: ({ restricted_kind }, isAdmin) => restricted_kind === null && isAdmin,
  move: ({ is_template, status }) => !(is_template && status === 'voided'),
  lift_restriction: ({ restricted_kind }, isAdmin) => restricted_kind !== null && isAdmin,
} as const satisfies Record<string, Rule>;

export type DocumentAction = keyof typeof rules;

/** The actions of a viewer of the document's folder. */
const reading: readonly DocumentAction[] = ['download', 'certificate', 'preview'];

/** Lists the actions that are possible with a document now, for an owner or admin, a member, or a viewer of its folder. */
export function documentActions(
  document: Document,
  { isAdmin, isViewer }: { isAdmin: boolean; isViewer: boolean },
): DocumentAction[] {
  const offered = isViewer ? reading : (Object.keys(rules) as DocumentAction[]);
  return offered.filter((action) => rules[action](document, isAdmin));
}
