import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useSyncExternalStore } from 'react';

type Address = NonNullable<LinkProps['to']>;

export interface Tab {
  name: string;
  to: Address;
}

export interface TabGroup {
  /** Empty for tabs that need no groups. */
  name: string;
  tabs: readonly Tab[];
}

/** Where groups of tabs stand in a column: from Tailwind's `lg` on. */
const wide = '(min-width: 64rem)';

/**
 * Tabs with their own addresses, in a row, and groups of them in a column with their names where there is room. Arrow keys move
 * through them.
 */
export function RouteTabs({
  label,
  groups,
  current,
  children,
}: {
  label: string;
  groups: readonly TabGroup[];
  /** The `to` of the current tab. */
  current: Address;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const router = useRouter();
  const isWide = useSyncExternalStore(watchWidth, () => matchMedia(wide).matches);
  const isColumn = isWide && groups.length > 1;
  // On phones the tabs are wider than the page. The router restores their scroll position after it has rendered a page.
  useEffect(() => {
    const show = () => scrollToTab(list.current, current);
    show();
    return router.subscribe('onRendered', show);
  }, [current, router]);
  return (
    <div className={isColumn ? 'grid grid-cols-[11rem_minmax(0,1fr)] items-start gap-8' : undefined}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        aria-orientation={isColumn ? 'vertical' : 'horizontal'}
        onKeyDown={walk}
        className={
          isColumn ? 'flex flex-col' : '-mx-4 flex gap-1 overflow-x-auto border-b border-rule px-4 sm:mx-0 sm:px-0'
        }
      >
        {groups.map(({ name, tabs }) => (
          <Fragment key={name}>
            {isColumn && (
              // A list of tabs may contain only tabs.
              <div aria-hidden="true" className="mt-5 mb-1 px-3 text-xs font-semibold text-soft first:mt-0">
                {name}
              </div>
            )}
            {tabs.map((tab) => (
              <Link
                key={tab.to}
                to={tab.to}
                role="tab"
                id={`${id}${tab.to}`}
                aria-selected={tab.to === current}
                aria-controls={tab.to === current ? `${id}panel` : undefined}
                tabIndex={tab.to === current ? 0 : -1}
                className={`flex items-center px-3 text-sm font-semibold text-soft -outline-offset-2 hover:text-ink aria-selected:text-ink ${
                  isColumn
                    ? 'min-h-9 rounded-lg py-1 hover:bg-wash aria-selected:bg-accent-wash'
                    : 'min-h-11 border-b-2 border-transparent whitespace-nowrap aria-selected:border-accent'
                }`}
              >
                {tab.name}
              </Link>
            ))}
          </Fragment>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}panel`}
        aria-labelledby={`${id}${current}`}
        className={isColumn ? undefined : 'pt-5'}
      >
        {children}
      </div>
    </div>
  );
}

function watchWidth(onChange: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Moves a tab to the middle of the list, without scrolling the page. */
function scrollToTab(list: HTMLElement | null, to: Address) {
  const tab = list?.querySelector(`[href="${to}"]`)?.getBoundingClientRect();
  if (list === null || tab === undefined) return;
  const { left, width } = list.getBoundingClientRect();
  list.scrollLeft += tab.left + tab.width / 2 - (left + width / 2);
}

function walk(event: KeyboardEvent<HTMLElement>) {
  const list = event.currentTarget;
  const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const [back, on] = list.ariaOrientation === 'vertical' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const to = { [on]: at + 1, [back]: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  const next = tabs[(to + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}
