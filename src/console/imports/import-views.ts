import { hiddenItemJson, importItemJson, importJson } from '../../imports/json.ts';
import type { ShownImport, ShownItem } from '../../imports/shown-imports.ts';
import { mayBeUnlocked } from '../../unlock/jobs/document-unlock.ts';

/** Imports as the console's pages show them: the API's fields and a few more. The pages import these types. */

/** `started_by`: null for the operator. */
export function importView(row: ShownImport) {
  return { ...importJson(row), started_by: starterOf(row) };
}

export type ImportView = ReturnType<typeof importView>;

export type Starter = { kind: 'person'; email: string } | { kind: 'key'; name: string | null };

function starterOf({ api_key_id, key_name, person_email }: ShownImport): Starter | null {
  if (api_key_id !== null) return { kind: 'key', name: key_name };
  return person_email === null ? null : { kind: 'person', email: person_email };
}

/** Shows an item. Of a document that they may not see, members see neither the file name nor a link. */
export function itemView(row: ShownItem) {
  const { document_title, document_status: status, document_unlock_status: unlock, is_hidden } = row;
  if (is_hidden) {
    return { ...hiddenItemJson(row), document_title: null, document_unlock: null, can_unlock: false, is_hidden };
  }
  const can_unlock = status !== null && mayBeUnlocked(status, unlock);
  return { ...importItemJson(row), document_title, document_unlock: unlockOf(row), can_unlock, is_hidden };
}

/** The unlock status at the end of the import. The document may have been unlocked since. */
function unlockOf({ document_unlock_status: status, document_unlock_reason: reason }: ShownItem) {
  return status === null ? null : { status, reason };
}

export type ItemView = ReturnType<typeof itemView>;
