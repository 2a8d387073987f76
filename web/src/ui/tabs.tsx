import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

type Address = NonNullable<LinkProps['to']>;

export interface Tab {
  name: string;
  to: Address;
}

/** Tabs with their own addresses. Arrow keys move through them. */
export function RouteTabs({
  label,
  tabs,
  current,
  children,
}: {
  label: string;
  tabs: readonly Tab[];
  /** The `to` of the current tab. */
  current: Address;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const router = useRouter();
  // On phones the tabs are wider than the page. The router restores their scroll position after it has rendered a page.
  useEffect(() => {
    const show = () => scrollToTab(list.current, current);
    show();
    return router.subscribe('onRendered', show);
  }, [current, router]);
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={walk}
        className="-mx-4 flex gap-1 overflow-x-auto border-b border-rule px-4 sm:mx-0 sm:px-0"
      >
        {tabs.map(({ name, to }) => (
          <Link
            key={to}
            to={to}
            role="tab"
            id={`${id}${to}`}
            aria-selected={to === current}
            aria-controls={to === current ? `${id}panel` : undefined}
            tabIndex={to === current ? 0 : -1}
            className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-semibold whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {name}
          </Link>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${current}`} className="pt-5">
        {children}
      </div>
    </>
  );
}

/** Moves a tab to the middle of the list, without scrolling the page. */
function scrollToTab(list: HTMLElement | null, to: Address) {
  const tab = list?.querySelector(`[href="${to}"]`)?.getBoundingClientRect();
  if (list === null || tab === undefined) return;
  const { left, width } = list.getBoundingClientRect();
  list.scrollLeft += tab.left + tab.width / 2 - (left + width / 2);
}

function walk(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  const next = tabs[(to + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}
