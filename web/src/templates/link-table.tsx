import type { ReactNode } from 'react';

/** A table whose rows lead somewhere, or cards on phones. */
export function LinkTable({ columns, children }: { columns: readonly string[]; children: ReactNode }) {
  return (
    <table className="mt-3 w-full border-collapse max-sm:block">
      <thead className="max-sm:sr-only">
        <tr className="border-b border-rule text-left text-sm text-soft">
          {columns.map((name) => (
            <th key={name} scope="col" className="py-2 pr-4 font-medium last:pr-0">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">{children}</tbody>
    </table>
  );
}

/** A row with a link that covers it (`after:absolute after:inset-0`). */
export function LinkRow({ children }: { children: ReactNode }) {
  return (
    <tr className="relative border-b border-rule hover:bg-wash has-[a:focus-visible]:bg-wash max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3">
      {children}
    </tr>
  );
}

export const linkCell = 'py-3 pr-4 last:pr-0 max-sm:p-0';
