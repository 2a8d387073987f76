import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { fill, formatMoment } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import type { DocumentDialogProps } from './document-dialogs.tsx';
import { historyText } from './history-texts.ts';
import { CancelDialog, ChangeDialog, SendDialog } from './lazy-dialogs.ts';
import { scheduleText } from './schedule-texts.ts';
import type { DocumentDetail } from './types.ts';

type Asked = 'send' | 'change' | 'cancel';

/** Says when the document will be sent, and by whom, or why it was not. */
export function ScheduleNote({ document }: { document: DocumentDetail }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const queryClient = useQueryClient();
  const { schedule, actions } = document;
  if (schedule === null) return null;
  const { at, by, failure } = schedule;
  const values = { time: formatMoment(at), name: by.name ?? historyText.actors[by.kind] };
  const onDone = () => queryClient.invalidateQueries({ queryKey: ['documents'] });
  const dialog = { document, onClose: () => setAsked(null), onDone };
  const mayChange = actions.includes('schedule');
  return (
    <div
      className={`mt-3 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg px-3.5 py-2.5 ${failure === null ? 'bg-accent-wash' : 'bg-warn-wash text-warn'}`}
    >
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium">
          <bdi>{fill(failure === null ? scheduleText.willBeSent : scheduleText.notSent, values)}</bdi>
        </p>
        <p>{failure === null ? scheduleText.toEdit : scheduleText.reasons[failure]}</p>
      </div>
      {mayChange && failure === null && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsked('send')}>{scheduleText.sendNow}</Button>
          <Button onClick={() => setAsked('change')}>{scheduleText.change}</Button>
          <Button onClick={() => setAsked('cancel')}>{scheduleText.cancel}</Button>
        </div>
      )}
      {failure !== null && <Dismissal id={document.id} isAllowed={mayChange} onDone={onDone} />}
      {asked === 'send' && <SendDialog {...dialog} isNow />}
      {asked === 'change' && <ChangeDialog {...dialog} />}
      {asked === 'cancel' && <CancelDialog {...dialog} />}
    </div>
  );
}

interface DismissalProps extends Pick<DocumentDialogProps, 'onDone'> {
  id: string;
  isAllowed: boolean;
}

/** The button that dismisses the note. Why it was refused stays, even when the page learns that it is no longer allowed. */
function Dismissal({ id, isAllowed, onDone }: DismissalProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.remove('/documents/:id/schedule', { params: { id } }),
    onSuccess: onDone,
  });
  return (
    <>
      {isAllowed && (
        <Button isBusy={isPending} onClick={() => mutate()}>
          {scheduleText.dismiss}
        </Button>
      )}
      <Problem of={error} failures={scheduleText.failures} className="order-last basis-full" />
    </>
  );
}
