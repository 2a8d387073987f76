import { useBlocker } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { newText } from './new-texts.ts';

/** Asks before the page is left with input that is not saved. `hasMore`: whether there is input that `read` does not return. */
export function useUnsavedQuestion(read: () => object, hasMore: () => boolean, isSaved: RefObject<boolean>): void {
  const start = useRef<string | null>(null);
  useLayoutEffect(() => {
    start.current ??= JSON.stringify(read());
  });
  useLeaveQuestion(() => !isSaved.current && (hasMore() || JSON.stringify(read()) !== start.current));
}

/** Asks before the page is left while there is input that is not saved. */
export function useLeaveQuestion(isUnsaved: () => boolean): void {
  useBlocker({
    shouldBlockFn: () => isUnsaved() && !confirm(newText.unsaved),
    enableBeforeUnload: isUnsaved,
  });
}
