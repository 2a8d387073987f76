import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../api/client.ts';
import { showAnswer } from '../api/show-answer.ts';

/** Saves a form of settings. The answer replaces what was read under `queryKey`. `saved`: what is said after it. */
export function useSave(queryKey: QueryKey, saved: string) {
  const queryClient = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const save = async (send: () => Promise<unknown>) => {
    setSaving(true);
    setFailure(null);
    setSaid('');
    try {
      await showAnswer(queryClient, queryKey, await send());
      setSaid(saved);
    } catch (reason) {
      setFailure(reason);
      const isOutdated = reason instanceof ApiFailure && reason.code === 'changed_meanwhile';
      if (isOutdated) void queryClient.invalidateQueries({ queryKey });
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, failure, said, save, clear: () => setSaid('') };
}
