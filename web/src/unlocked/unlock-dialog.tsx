import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { showAnswer } from '../api/show-answer.ts';
import { count } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import type { UnlockView } from './types.ts';
import { unlockQuery } from './unlock-query.ts';
import { unlockText } from './unlock-texts.ts';

interface UnlockDialogProps {
  /** Pages of the document. */
  id: string;
  onClose: () => void;
}

/** Shows the price and the available credits, and asks for confirmation. */
export function UnlockDialog({ id, onClose }: UnlockDialogProps) {
  const queryClient = useQueryClient();
  // Reads the balance again, because credits may have been spent since the page was opened.
  const { data, error } = useQuery({ ...unlockQuery(id), staleTime: 0 });
  if (data === undefined || data.cost > data.credits) {
    return (
      <Dialog title={unlockText.dialogTitle} onClose={onClose}>
        <Problem of={error} failures={unlockText.failures} />
        {data === undefined ? error === null && <p>{uiText.loading}</p> : <Price of={data} />}
        <p className="mt-6 text-right">
          <Button onClick={onClose}>{uiText.close}</Button>
        </p>
      </Dialog>
    );
  }
  const unlock = async () => {
    const asked = await api.post('/documents/:id/unlock', { params: { id }, body: { pages: data.pages } });
    await showAnswer(queryClient, unlockQuery(id).queryKey, asked);
    await queryClient.invalidateQueries({ queryKey: ['imports'] });
  };
  return (
    <ConfirmDialog
      title={unlockText.dialogTitle}
      action={unlockText.unlock}
      failures={unlockText.failures}
      onClose={onClose}
      onConfirm={unlock}
    >
      <Price of={data} />
    </ConfirmDialog>
  );
}

function Price({ of: { pages, cost, credits } }: { of: UnlockView }) {
  return (
    <div className="grid gap-3">
      <p>{unlockText.about}</p>
      <p>{cost === 0 ? unlockText.free : count(pages, unlockText.cost)}</p>
      <p className="font-semibold">
        {count(credits, unlockText.left)} {cost > 0 && cost <= credits && count(credits - cost, unlockText.after)}
      </p>
      {cost > credits && <p className="rounded-lg bg-warn-wash px-3.5 py-2.5 text-warn">{unlockText.tooFew}</p>}
    </div>
  );
}
