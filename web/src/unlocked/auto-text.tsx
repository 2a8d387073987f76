import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import type { Caret } from './edit-rows.ts';

interface AutoTextProps extends Omit<ComponentProps<'textarea'>, 'value'> {
  value: string;
  /** Moves the caret here. A new object for each move. */
  caret?: Caret | null;
}

/** Carets that were applied. Without this set, a page that scrolls into view would move the caret again. */
const done = new WeakSet<Caret>();

/** A text area that grows with its text. */
export function AutoText({ caret = null, className = '', ...rest }: AutoTextProps) {
  const element = useRef<HTMLTextAreaElement>(null);
  const { value } = rest;
  useLayoutEffect(() => {
    if (element.current !== null && !CSS.supports('field-sizing', 'content')) grow(element.current, value);
  }, [value]);
  useLayoutEffect(() => {
    if (caret === null || element.current === null || done.has(caret)) return;
    done.add(caret);
    element.current.focus();
    element.current.setSelectionRange(caret.at, caret.at);
  }, [caret]);
  return (
    <textarea
      ref={element}
      rows={1}
      spellCheck
      dir="auto"
      {...rest}
      className={`block field-sizing-content w-full resize-none overflow-hidden ${className}`}
    />
  );
}

/** Sets the height in browsers without `field-sizing`. */
function grow(element: HTMLTextAreaElement, value: string): void {
  element.style.height = 'auto';
  if (value !== '') element.style.height = `${element.scrollHeight}px`;
}
