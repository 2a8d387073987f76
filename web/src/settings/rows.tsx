import type { ReactNode } from 'react';

/** A table, or cards on phones, where each cell has a label. */
export function Rows({
  caption,
  columns,
  children,
}: {
  caption: string;
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <table className="w-full border-collapse max-md:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-md:sr-only">
        <tr className="border-b border-rule text-left text-sm text-soft">
          {columns.map((name) => (
            <th key={name} scope="col" className="py-2 pr-4 font-medium whitespace-nowrap last:pr-0">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">{children}</tbody>
    </table>
  );
}

export function Row({ children, isFaded = false }: { children: ReactNode; isFaded?: boolean }) {
  return (
    <tr
      className={`relative border-b border-rule align-baseline max-md:grid max-md:gap-y-1.5 max-md:py-3.5 ${isFaded ? 'text-soft' : ''}`}
    >
      {children}
    </tr>
  );
}

/** `label`: shown before the value on cards. */
export function Cell({ label, children, className = '' }: { label?: string; children: ReactNode; className?: string }) {
  return (
    <td className={`py-3 pr-4 last:pr-0 max-md:flex max-md:gap-3 max-md:p-0 ${className}`}>
      {label !== undefined && (
        <span className="w-28 shrink-0 font-sans text-sm font-normal text-soft md:hidden">{label}</span>
      )}
      <div className="min-w-0">{children}</div>
    </td>
  );
}

/** Actions of a row. On phones they are in the corner of the card. */
export function ActionCell({ children }: { children: ReactNode }) {
  return <td className="py-2 max-md:absolute max-md:top-2.5 max-md:right-0 max-md:p-0">{children}</td>;
}
