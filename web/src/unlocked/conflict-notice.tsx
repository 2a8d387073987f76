import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import type { TextStore } from './text-store.ts';
import { textText } from './text-texts.ts';
import type { Saving } from './use-saving.ts';

interface ConflictNoticeProps {
  id: string;
  page: number;
  saving: Saving;
  store: TextStore;
}

/** Shown when two people changed the same page. The user chooses a version and can undo the choice. */
export function ConflictNotice({ id, page, saving, store }: ConflictNoticeProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (isTaken: boolean) => {
      const theirs = await api.get('/documents/:id/unlocked/pages/:page', { params: { id, page } });
      store.dispatch({ type: 'theirs', page: theirs, isTaken });
      await saving.save();
    },
  });
  return (
    <div role="alert" className="my-3 rounded-lg bg-warn-wash px-3.5 py-2.5 text-warn">
      <p className="font-semibold">{fill(textText.conflictTitle, { n: page })}</p>
      <p>{textText.conflictText}</p>
      <p className="mt-2 flex flex-wrap gap-2">
        <Button isBusy={isPending} onClick={() => mutate(true)}>
          {textText.takeTheirs}
        </Button>
        <Button isBusy={isPending} onClick={() => mutate(false)}>
          {textText.keepMine}
        </Button>
      </p>
      <Problem of={error} failures={textText.failures} className="mt-2" />
    </div>
  );
}
