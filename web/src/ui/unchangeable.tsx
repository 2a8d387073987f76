import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface UnchangeableProps {
  isBusy: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * A part of a form, which can't be changed while the form is busy: what is typed while it is saved would be lost. Afterwards the
 * focus returns to where it was.
 */
export function Unchangeable({ isBusy, className, children }: UnchangeableProps) {
  const part = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isBusy) focused.current = document.activeElement;
    else if (focused.current instanceof HTMLElement && part.current?.contains(focused.current)) focused.current.focus();
  }, [isBusy]);
  return (
    <div ref={part} inert={isBusy} className={className}>
      {children}
    </div>
  );
}
