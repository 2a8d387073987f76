import { Link } from '@tanstack/react-router';
import { folderText } from './folder-texts.ts';
import type { DocumentDetail } from './types.ts';
import { useFolders } from './use-folders.ts';

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
