import type { QueryClient } from '@tanstack/react-query';
import { ApiFailure, api } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { explain } from '../ui/problem.tsx';
import { attachText } from './attach-texts.ts';
import { showChanged } from './document-query.ts';
import { addRefusal, sayProgress } from './file-changes.ts';
import { filesFailures, filesText } from './files-texts.ts';
import { type Replacing, uploadFile } from './upload-file.ts';

/** Changes of the files of an unsent document, for `enqueueChange`. They report their progress and why files are refused. */

/** Attaches a PDF, in place of an earlier one. Returns the number of fields that don't fit on it, for which it is refused. */
export async function attachFile(
  queryClient: QueryClient,
  id: string,
  file: File,
  replacing: Replacing,
): Promise<number> {
  sayProgress(id, fill(attachText.uploading, { name: file.name }));
  try {
    const changed = await uploadFile(id, file, replacing);
    await showChanged(queryClient, changed);
    sayProgress(id, changed.fields_kept === 0 ? '' : count(changed.fields_kept, attachText.kept));
    return 0;
  } catch (failure) {
    sayProgress(id, '');
    addRefusal(id, explain(failure, attachText.failures));
    void queryClient.invalidateQueries({ queryKey: ['documents'] });
    return failure instanceof ApiFailure && failure.code === 'fields_unfit' ? Number(failure.value) : 0;
  }
}

/** Adds files one after another. The others stay when one is refused. */
export async function addFiles(queryClient: QueryClient, id: string, files: readonly File[]): Promise<void> {
  for (const [index, file] of files.entries()) {
    sayProgress(id, fill(filesText.adding, { name: file.name, n: index + 1, all: files.length }));
    try {
      const changed = await api.upload('/documents/:id/parts', { params: { id }, query: { name: file.name }, file });
      await showChanged(queryClient, changed);
    } catch (failure) {
      const name = (failure instanceof ApiFailure && failure.value) || file.name;
      addRefusal(id, fill(filesText.refused, { name, why: explain(failure, filesFailures) }));
      // It may have been added although the answer was lost.
      void queryClient.invalidateQueries({ queryKey: ['documents'] });
    }
  }
  sayProgress(id, '');
}

/** Puts the files in the order of `parts`, and removes the others. Returns whether it was done. */
export async function arrangeFiles(
  queryClient: QueryClient,
  id: string,
  body: { version: number | undefined; parts: readonly number[] },
): Promise<boolean> {
  try {
    void showChanged(queryClient, await api.post('/documents/:id/parts/order', { params: { id }, body }));
    // The next move needs the new order and version, and nothing else that is refreshed.
    await queryClient.refetchQueries({ queryKey: partsKey(id) }, { cancelRefetch: false });
    return true;
  } catch (failure) {
    addRefusal(id, explain(failure, filesFailures));
    await queryClient.invalidateQueries({ queryKey: ['documents'] });
    return false;
  }
}

export const partsKey = (id: string) => ['documents', 'parts', id];
