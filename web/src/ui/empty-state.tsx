import type { ReactNode } from 'react';

/** Shown for an empty list: what the list is for, and how to add the first item. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto my-8 grid max-w-xl gap-3 rounded-xl border border-dashed border-edge p-6 sm:p-8">
      <h2 className="text-xl">{title}</h2>
      {children}
    </div>
  );
}
