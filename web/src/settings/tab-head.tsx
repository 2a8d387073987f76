import type { ReactNode } from 'react';

/** The head of a tab: its purpose and its main action. */
export function TabHead({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <p className="max-w-2xl text-soft">{children}</p>
      {action}
    </div>
  );
}
