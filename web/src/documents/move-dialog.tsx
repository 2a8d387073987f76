import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { count } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, Tick } from '../ui/field.tsx';
import { folderName } from './folder-choice.tsx';
import { folderText } from './folder-texts.ts';
import { moveText } from './move-texts.ts';
import type { DocumentSummary } from './types.ts';
import { useFolders } from './use-folders.ts';

export interface MoveDialogProps {
  documents: readonly Pick<DocumentSummary, 'id' | 'folder'>[];
  isTemplate?: boolean;
  onClose: () => void;
  onDone?: () => void;
}

/** Moves documents to a folder, or to none. Asks again before everyone sees what only some have seen. */
export function MoveDialog({ documents, isTemplate = false, onClose, onDone }: MoveDialogProps) {
  const queryClient = useQueryClient();
  const folders = useFolders() ?? [];
  const from = new Set(documents.map(({ folder }) => folder));
  const only = from.size === 1 ? documents[0]?.folder : undefined;
  const offered = folders.filter(({ id, can_edit }) => can_edit && id !== only);
  const targets = [
    ...(only === null ? [] : [{ id: '', name: folderText.noneHint, is_open: true }]),
    ...offered.map((folder) => ({ id: folder.id, name: folderName(folder), is_open: folder.is_open })),
  ];
  const [chosen, setChosen] = useState<string | null>(null);
  const [isSure, setSure] = useState(false);
  // Nothing that everyone would see is chosen beforehand.
  const target = targets.find(({ id }) => id === chosen) ?? targets.find(({ is_open }) => !is_open) ?? targets[0];
  const isPrivate = (id: string | null) => id !== null && folders.find((folder) => folder.id === id)?.is_open !== true;
  const isShown = target?.is_open === true && documents.some(({ folder }) => isPrivate(folder));
  const move = async () => {
    const ids = documents.map(({ id }) => id);
    await api.post('/documents/move', { body: { ids, folder: target?.id || null } });
    await queryClient.invalidateQueries({ queryKey: ['documents'] });
    onDone?.();
  };
  return (
    <ConfirmDialog
      title={isTemplate ? moveText.templateTitle : count(documents.length, moveText.title)}
      action={moveText.action}
      isDangerous={isShown}
      isDisabled={target === undefined || (isShown && !isSure)}
      failures={moveText.failures}
      onClose={onClose}
      onConfirm={move}
    >
      {target === undefined ? (
        <p>{moveText.nowhere}</p>
      ) : (
        <Select label={moveText.target} value={target.id} onChange={({ target }) => setChosen(target.value)}>
          {targets.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {isShown && (
        <Tick
          label={moveText.showsEveryone}
          hint={moveText.showsEveryoneHint}
          checked={isSure}
          onChange={({ target }) => setSure(target.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
