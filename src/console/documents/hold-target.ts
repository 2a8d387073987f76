import { Type } from 'typebox';
import { accessToFolder } from '../../accounts/document-access.ts';
import { type Folder, holdFolder } from '../../accounts/folders.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Tx } from '../../postgres/database.ts';
import { memberOf } from '../core/authorise.ts';
import type { MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

/** The part of a body that names the folder where a document goes. Null: none. */
export const withFolder = Type.Object({ folder: Type.Optional(Type.Union([Type.String(), Type.Null()])) });

/**
 * Finds the folder where the caller puts a document, and keeps others from deleting it. Null: none. Throws `not_found` for one
 * that the caller does not see, and `forbidden` if they are a viewer.
 */
export async function holdTarget(
  tx: Tx,
  { caller: { membership } }: Pick<MemberCall, 'caller'>,
  id: string | null,
): Promise<Folder | null> {
  if (id === null) return null;
  const folder = isUuid(id) ? await holdFolder(tx, membership.account_id, id) : null;
  const access = folder && (await accessToFolder(tx, memberOf(membership), folder.account_id, folder.id));
  if (access === null) throw new ConsoleError('not_found');
  if (access === 'viewer') throw new ConsoleError('forbidden');
  return folder;
}
