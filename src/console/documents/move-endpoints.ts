import { type Static, Type } from 'typebox';
import type { Document } from '../../documents/document.ts';
import { moveDocuments, movedMax } from '../../documents/move-documents.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { holdTarget } from './hold-target.ts';
import { lockOwnDocument } from './own-document.ts';

const move = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 36 }), { minItems: 1, maxItems: movedMax }),
  /** Null: no folder. */
  folder: Type.Union([Type.String({ maxLength: 36 }), Type.Null()]),
});

export const moveEndpoints = [forMembers('POST /documents/move', 'member', { body: move }, moveSelected)];

/**
 * Moves documents or templates to a folder, or to none: all of them, or none if the caller may not move one. Throws `not_found`
 * and `forbidden` as for changes of each document and of the folder.
 */
function moveSelected({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof move>>) {
  const { ids, folder } = call.body;
  return db.transaction(async (tx) => {
    const documents: Document[] = [];
    // In the order of their ids, as all who lock several documents.
    for (const id of [...new Set(ids.map((id) => id.toLowerCase()))].sort()) {
      const document = await lockOwnDocument(tx, { ...call, params: { id } });
      if (document.is_template && document.status === 'voided') throw new ConsoleError('not_found');
      documents.push(document);
    }
    const target = await holdTarget(tx, call, folder);
    return { moved: await moveDocuments(world, tx, documents, target, call.caller.person.id) };
  });
}
