import type { ReactNode } from 'react';

/** What a tab is for, and beside it what one comes here to do. */
export function TabHead({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <p className="max-w-2xl text-soft">{children}</p>
      {action}
    </div>
  );
}
