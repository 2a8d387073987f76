import { fill } from '../language.ts';
import { controlClass, Select } from '../ui/field.tsx';
import { folderListText } from './folder-list-texts.ts';
import { folderText } from './folder-texts.ts';
import { type Folder, useFolders } from './use-folders.ts';

/** The filter of a list by folder. Hidden in a company without folders. `value`: a folder's id, `none`, or empty for all. */
export function FolderFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const folders = useFolders() ?? [];
  if (folders.length === 0 && value === '') return null;
  const isKnown = value === '' || value === 'none' || folders.some(({ id }) => id === value);
  return (
    <label className="mt-3 flex items-center gap-2 text-sm text-soft sm:max-w-sm">
      <span className="shrink-0">{folderText.folder}</span>
      <select className={controlClass} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{folderListText.all}</option>
        <option value="none">{folderText.none}</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {!isKnown && <option value={value}>…</option>}
      </select>
    </label>
  );
}

/** The folder of a new document or template, among those in which the person may edit. Hidden if there are none. */
export function NewInFolder({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const folders = useFolders();
  const offered = (folders ?? []).filter(({ can_edit }) => can_edit);
  if (offered.length === 0) return null;
  return (
    <Select
      label={folderText.folder}
      hint={value === '' ? undefined : folderListText.newHint}
      value={offered.some(({ id }) => id === value) ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{folderText.noneHint}</option>
      {offered.map((folder) => (
        <option key={folder.id} value={folder.id}>
          {folderName(folder)}
        </option>
      ))}
    </Select>
  );
}

/** Names a folder, and says whether everyone sees it. */
export function folderName({ name, is_open }: Pick<Folder, 'name' | 'is_open'>): string {
  return is_open ? fill(folderText.open, { name }) : name;
}

/** What a list of a folder says of who sees it. `folder`: a folder's id, or undefined. */
export function FolderNote({ folder }: { folder: string | undefined }) {
  const folders = useFolders();
  if (folder === undefined || folder === 'none' || folders === undefined) return null;
  const shown = folders.find(({ id }) => id === folder);
  const text =
    shown === undefined
      ? folderListText.gone
      : shown.can_edit
        ? shown.is_open
          ? null
          : folderListText.onlyMembers
        : folderListText.readOnly;
  return text && <p className="mt-2 text-soft">{text}</p>;
}
