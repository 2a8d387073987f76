import { Type } from 'typebox';
import { readEditDocumentBody } from '../documents/create-document-body.ts';
import { editDocument } from '../documents/edit-document.ts';
import { assertCurrent } from './assert-current.ts';
import { actorOf, change } from './change-document.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { assertEditable } from './own-document.ts';

/** And what a document is to be, as `POST /documents` takes it, each party with its id if it has one. */
const version = Type.Object({ version: Type.Integer() });

/** What was written for a draft, or a template, is written anew. */
export const documentEditEndpoints: ConsoleEndpoint[] = [
  forMembers('POST /documents/:id', 'member', { body: version }, edit),
];

function edit(means: ConsoleMeans, call: MemberCall<{ version: number }>) {
  const body = readEditDocumentBody(call.body);
  return change(means, call, async (tx, document) => {
    assertEditable(call, document);
    assertCurrent(document, call.body.version);
    await editDocument(means.world, tx, document, actorOf(call), body);
  });
}
