import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { explain } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { dialogText } from './dialog-texts.ts';
import { documentsText } from './texts.ts';
import type { DocumentSummary } from './types.ts';

const text = documentsText.many;

export type ManyAction = 'remind' | 'void';

/** What became of one document. `failure` is null if it succeeded. */
interface Outcome {
  document: DocumentSummary;
  failure: string | null;
}

interface ManyDialogProps {
  action: ManyAction;
  documents: readonly DocumentSummary[];
  onClose: () => void;
}

/**
 * Reminds of or voids documents one by one, with the request that acts on a single document: each has its own answer, and
 * repeating does no harm. Shows what became of each. Closing the dialog stops after the current document.
 */
export function ManyDialog({ action, documents, onClose }: ManyDialogProps) {
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null);
  const [problem, setProblem] = useState('');
  const isStopped = useRef(false);
  const queryClient = useQueryClient();
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);

  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '');
    if (action === 'void' && (reason.trim() === '' || [...reason].length > 1000)) return setProblem(text.reasonMissing);
    const done: Outcome[] = [];
    setOutcomes(done);
    for (const document of documents) {
      if (isStopped.current) break;
      done.push({ document, failure: await actOn(action, document, reason) });
      if (!isStopped.current) setOutcomes([...done]);
    }
    await queryClient.invalidateQueries({ queryKey: ['documents'] });
  };

  const completed = documents.filter(({ status }) => status === 'completed').length;
  const title = count(documents.length, action === 'void' ? text.voidTitle : text.remindTitle);
  return (
    <Dialog
      title={outcomes === null ? title : text.results}
      onClose={onClose}
      width={outcomes === null ? 'narrow' : 'wide'}
    >
      {outcomes === null ? (
        <form noValidate onSubmit={(event) => void run(event)}>
          <div className="grid gap-4">
            <p>{action === 'void' ? text.voidText : text.remindText}</p>
            {action === 'void' && completed > 0 && <p>{count(completed, text.voidCompleted)}</p>}
            {action === 'void' && (
              <TextArea name="reason" label={dialogText.dialogs.reason} hint={dialogText.dialogs.reasonHint} required />
            )}
            <p className="text-sm text-soft">{text.oneByOne}</p>
          </div>
          <div role="alert" className={problem === '' ? 'hidden' : 'mt-4'}>
            <p className="rounded-lg bg-bad-wash px-3.5 py-2.5 font-medium text-bad">{problem}</p>
          </div>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Button onClick={onClose}>{uiText.cancel}</Button>
            <Button type="submit" kind={action === 'void' ? 'danger' : 'primary'}>
              {text[action]}
            </Button>
          </div>
        </form>
      ) : (
        <Outcomes action={action} outcomes={outcomes} all={documents.length} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Returns why it failed, or null. */
async function actOn(action: ManyAction, { id, status }: DocumentSummary, reason: string): Promise<string | null> {
  try {
    const params = { id };
    if (action === 'void') await api.post('/documents/:id/void', { params, body: { reason, status } });
    else await api.post('/documents/:id/remind', { params });
    return null;
  } catch (error) {
    const { remind, void: voided, ...others } = text.refused;
    return explain(error, { ...others, refused: action === 'void' ? voided : remind });
  }
}

interface OutcomesProps {
  action: ManyAction;
  outcomes: readonly Outcome[];
  all: number;
  onClose: () => void;
}

function Outcomes({ action, outcomes, all, onClose }: OutcomesProps) {
  const done = outcomes.length;
  const isOver = done === all;
  const succeeded = outcomes.filter(({ failure }) => failure === null).length;
  return (
    <>
      <p role="status" className="font-semibold">
        {isOver ? fill(text.result, { done: succeeded, all }) : fill(text.progress, { done, all })}
      </p>
      {!isOver && (
        <div aria-hidden="true" className="mt-2 h-2 overflow-hidden rounded-full bg-rule">
          <div className="h-full bg-good transition-[width]" style={{ width: `${(done / all) * 100}%` }} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list is reached by keyboard */}
      <ol className="mt-3 max-h-80 overflow-y-auto" tabIndex={0} aria-label={documentsText.selectionBar}>
        {outcomes.map(({ document, failure }) => (
          <li key={document.id} className="border-b border-rule py-2 text-sm">
            <bdi className="font-semibold">{document.title}</bdi>
            <p className={failure === null ? 'text-good' : 'text-bad'}>{failure ?? text.done[action]}</p>
          </li>
        ))}
      </ol>
      <div className="mt-6 flex justify-end">
        <Button kind={isOver ? 'primary' : 'plain'} onClick={onClose}>
          {isOver ? text.close : text.stop}
        </Button>
      </div>
    </>
  );
}
