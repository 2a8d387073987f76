import { Button } from '../ui/button.tsx';
import { explain } from '../ui/problem.tsx';
import { textText } from './text-texts.ts';
import type { Saving } from './use-saving.ts';

/** Shows whether the text is saved, and if not, why. */
export function SaveState({ saving: { state, error, save, conflict } }: { saving: Saving }) {
  const hasFailed = state === 'failed' && conflict === null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className={`text-sm ${hasFailed ? 'font-semibold text-bad' : 'text-soft'}`}>
        {textText[state]}
        {hasFailed && `: ${explain(error, textText.failures)}`}
      </p>
      {(hasFailed || state === 'unsaved') && (
        <Button kind="quiet" onClick={() => void save()}>
          {textText.saveNow}
        </Button>
      )}
    </div>
  );
}
