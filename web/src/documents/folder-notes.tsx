import { Link } from '@tanstack/react-router';
import { folderText } from './folder-texts.ts';
import type { DocumentDetail } from './types.ts';
import { useFolders } from './use-folders.ts';

/** What a list of a folder says of who sees it. `folder`: a folder's id, or undefined. */
export function FolderNote({ folder }: { folder: string | undefined }) {
  const folders = useFolders();
  if (folder === undefined || folder === 'none' || folders === undefined) return null;
  const shown = folders.find(({ id }) => id === folder);
  const text =
    shown === undefined
      ? folderText.gone
      : shown.can_edit
        ? shown.is_open
          ? null
          : folderText.onlyMembers
        : folderText.readOnly;
  return text && <p className="mt-2 text-soft">{text}</p>;
}

/** A link to the list of a document's folder, next to its type. */
export function FolderLink({ document: { folder, is_template } }: { document: DocumentDetail }) {
  const folders = useFolders();
  const shown = folders?.find(({ id }) => id === folder);
  if (shown === undefined) return null;
  return (
    <Link
      to={is_template ? '/templates' : '/documents'}
      search={{ folder: shown.id }}
      className="text-accent underline"
      aria-label={`${folderText.folder}: ${shown.name}`}
    >
      <bdi>{shown.name}</bdi>
    </Link>
  );
}
