import { useEffect } from 'react';

interface PageTitleProps {
  children: string;
  /** What the page belongs to, such as the title of a document. Only the browser shows it. */
  of?: string | undefined;
  className?: string;
}

/** The heading of a page, which also names it in the browser's tabs, history and bookmarks. */
export function PageTitle({ children, of, className = '' }: PageTitleProps) {
  useTitle(of === undefined ? [children] : [children, of]);
  return (
    <h1 className={`text-2xl sm:text-3xl ${className}`}>
      <bdi>{children}</bdi>
    </h1>
  );
}

const product = 'Countersign';

/** Names the page in the browser, most specific first: `API keys · Settings · Countersign`. Null: another component does. */
export function useTitle(names: readonly string[] | null): void {
  const title = names === null ? null : [...names, product].join(' · ');
  useEffect(() => {
    if (title === null) return;
    document.title = title;
    return () => {
      document.title = product;
    };
  }, [title]);
}
