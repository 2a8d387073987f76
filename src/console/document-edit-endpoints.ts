import { Type } from 'typebox';
import { readEditDocumentBody } from '../documents/create-document-body.ts';
import { editDocument } from '../documents/edit-document.ts';
import { assertCurrent } from './assert-current.ts';
import { actorOf, change } from './change-document.ts';
import { type ConsoleDeps, type ConsoleEndpoint, forMembers, type MemberCall } from './console-endpoint.ts';
import { assertEditable } from './own-document.ts';

/** The rest of the body is that of `POST /documents`. Existing recipients have their id. */
const version = Type.Object({ version: Type.Integer() });

/** Replaces the content of a draft or a template. */
export const documentEditEndpoints: ConsoleEndpoint[] = [
  forMembers('POST /documents/:id', 'member', { body: version }, edit),
];

function edit(deps: ConsoleDeps, call: MemberCall<{ version: number }>) {
  const body = readEditDocumentBody(call.body);
  return change(deps, call, async (tx, document) => {
    assertEditable(call, document);
    assertCurrent(document, call.body.version);
    await editDocument(deps.world, tx, document, actorOf(call), body);
  });
}
