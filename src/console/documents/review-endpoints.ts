import { Type } from 'typebox';
import {
  liftRestriction,
  returnToDraft,
  reviewNoteLengthMax,
  submitForReview,
} from '../../documents/document-actions.ts';
import { findSubmitter } from '../../documents/find-submitter.ts';
import { makeMirror } from '../../documents/make-mirror.ts';
import { countReviews } from '../../documents/review.ts';
import { notifyReviewers, notifySubmitter } from '../../documents/review-notice.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { actorOf, change, refusing } from './change-document.ts';
import { createOnce, withRequestId } from './create-once.ts';
import { lockOwnDocument } from './own-document.ts';

const note = Type.String({ minLength: 1, maxLength: reviewNoteLengthMax * 2, pattern: '\\S' });

/** Counts stop here: the pages show "99+". */
const waitingCountedMax = 100;

/** Review, mirrors and restriction of documents. */
export const reviewEndpoints = [
  forMembers('GET /reviews', 'admin', {}, async ({ db }, { caller }) => {
    return { waiting: await countReviews(db, caller.membership.account_id, waitingCountedMax) };
  }),
  forMembers('POST /documents/:id/review', 'member', {}, submit),
  forMembers('POST /documents/:id/return', 'admin', { body: Type.Object({ note }) }, returnIt),
  forMembers('POST /documents/:id/mirror', 'member', { body: withRequestId }, (deps, call) =>
    refusing(() =>
      createOnce(deps, call, `/documents/${call.params.id}/mirror`, async (tx) => {
        const document = await lockOwnDocument(tx, call);
        return { id: (await makeMirror(deps.world, tx, document, actorOf(call))).id };
      }),
    ),
  ),
  forMembers('POST /documents/:id/lift-restriction', 'admin', { needsFreshSignIn: true }, (deps, call) =>
    change(deps, call, (tx, document) => liftRestriction(deps.world, tx, document, actorOf(call))),
  ),
];

/** Submits a draft to owners and admins for review. They are notified by e-mail. */
function submit({ world, queue, ...deps }: ConsoleDeps, call: MemberCall) {
  return change({ world, queue, ...deps }, call, async (tx, document) => {
    await submitForReview(world, tx, document, actorOf(call));
    await notifyReviewers(world, tx, queue, document, stepOf(call));
  });
}

/** Returns a document from review to draft. The submitter is notified by e-mail. */
function returnIt({ world, queue, ...deps }: ConsoleDeps, call: MemberCall<{ note: string }>) {
  return change({ world, queue, ...deps }, call, async (tx, document) => {
    const submitter = await findSubmitter(tx, document);
    await returnToDraft(world, tx, document, actorOf(call), call.body.note);
    if (submitter !== null) await notifySubmitter(world, tx, queue, document, submitter, stepOf(call));
  });
}

function stepOf({ caller, language }: MemberCall<unknown>) {
  return { by: caller.person.email, language };
}
