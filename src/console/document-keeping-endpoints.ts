import { Type } from 'typebox';
import { liftRestriction, returnToDraft, reviewNoteLengthMax, submitForReview } from '../documents/keep-papers.ts';
import { makeMirror } from '../documents/make-mirror.ts';
import { countReviews } from '../documents/review.ts';
import { tellReviewers, tellSubmitter } from '../documents/tell-of-review.ts';
import { actorOf, change } from './change-document.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { findSubmitter } from './find-submitter.ts';

const note = Type.String({ minLength: 1, maxLength: reviewNoteLengthMax * 2, pattern: '\\S' });

/** The pages say 99+ from here on. */
const waitingCountedMax = 100;

/** What members do to a paper beside sending and voiding it. */
export const documentKeepingEndpoints: ConsoleEndpoint[] = [
  forMembers('GET /reviews', 'admin', {}, async ({ db }, { caller }) => {
    return { waiting: await countReviews(db, caller.membership.account_id, waitingCountedMax) };
  }),
  forMembers('POST /documents/:id/review', 'member', {}, submit),
  forMembers('POST /documents/:id/return', 'admin', { body: Type.Object({ note }) }, returnIt),
  forMembers('POST /documents/:id/mirror', 'member', {}, async (means, call) => {
    let id = '';
    await change(means, call, async (tx, document) => {
      id = (await makeMirror(means.world, tx, document, actorOf(call))).id;
    });
    return { id };
  }),
  forMembers('POST /documents/:id/lift-restriction', 'admin', { needsFreshSignIn: true }, (means, call) =>
    change(means, call, (tx, document) => liftRestriction(means.world, tx, document, actorOf(call))),
  ),
];

/** A draft that owners and admins send, or return. They are told by e-mail. */
function submit({ world, queue, ...means }: ConsoleMeans, call: MemberCall) {
  return change({ world, queue, ...means }, call, async (tx, document) => {
    await submitForReview(world, tx, document, actorOf(call));
    await tellReviewers(world, tx, queue, document, stepOf(call));
  });
}

/** Who submitted it is told by e-mail. */
function returnIt({ world, queue, ...means }: ConsoleMeans, call: MemberCall<{ note: string }>) {
  return change({ world, queue, ...means }, call, async (tx, document) => {
    const submitter = await findSubmitter(tx, document);
    await returnToDraft(world, tx, document, actorOf(call), call.body.note);
    if (submitter !== null) await tellSubmitter(world, tx, queue, document, submitter, stepOf(call));
  });
}

function stepOf({ caller, language }: MemberCall<unknown>) {
  return { by: caller.person.email, language };
}
