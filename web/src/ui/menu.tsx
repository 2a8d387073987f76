import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

export interface MenuItem {
  name: string;
  act: () => void;
  isChecked?: boolean;
}

interface MenuProps {
  /** Text for screen readers, before the visible content of the button (`children`). */
  label: string;
  groups: readonly (readonly MenuItem[])[];
  children: ReactNode;
  className: string;
  /** On which side the menu opens. */
  opens?: 'up' | 'down';
}

/** A menu of further actions, behind a square button with three dots. */
export function MoreMenu({ label, groups }: Pick<MenuProps, 'label' | 'groups'>) {
  return (
    <Menu
      label={label}
      groups={groups}
      className="flex min-h-9 min-w-9 items-center justify-center rounded-lg border border-edge bg-raised hover:bg-wash max-lg:min-h-11 max-lg:min-w-11"
    >
      <Icon name="more" />
    </Menu>
  );
}

/** A button with a menu of actions. Arrow keys move through it. Escape or a click elsewhere closes it. */
export function Menu({ label, groups, children, className, opens = 'down' }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return;
    if (menu.current !== null) keepInSight(menu.current);
    itemsIn(root.current)[0]?.focus();
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only observes that the focus has left
    <div
      ref={root}
      className="relative"
      onBlur={(event) => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={className}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="sr-only">{label}</span>
        {children}
      </button>
      {isOpen && (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={(event) => walk(event, root.current, close)}
          className={`absolute right-0 z-20 min-w-56 overflow-y-auto rounded-xl border border-rule bg-raised p-1.5 shadow-lg ${opens === 'up' ? 'bottom-full mb-1' : 'top-full mt-1'}`}
        >
          {groups
            .filter((group) => group.length > 0)
            .map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a menu
              <div
                key={group[0]?.name}
                role="group"
                className="not-first:mt-1.5 not-first:border-t not-first:border-rule not-first:pt-1.5"
              >
                {group.map(({ name, act, isChecked }) => (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a checkable item has the role radio
                  <button
                    key={name}
                    type="button"
                    role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
                    aria-checked={isChecked}
                    tabIndex={-1}
                    className="flex min-h-9 w-full items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-sm hover:bg-wash focus:bg-wash max-lg:min-h-11"
                    onClick={() => {
                      close();
                      act();
                    }}
                  >
                    <span className="flex-1">{name}</span>
                    {isChecked && <span aria-hidden="true">✓</span>}
                  </button>
                ))}
              </div>
            ))}
        </div>
      )}
    </div>
  );
}

/** Limits the height of a menu to the space that it has. In a sticky header, the rest couldn't be scrolled to. */
function keepInSight(menu: HTMLElement): void {
  const { top, bottom } = menu.getBoundingClientRect();
  const button = menu.parentElement?.getBoundingClientRect();
  const opensUp = button !== undefined && top < button.top;
  menu.style.maxHeight = opensUp ? `max(10rem, ${bottom - 8}px)` : `max(10rem, calc(100dvh - ${top + 8}px))`;
}

function itemsIn(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
}

function walk(event: KeyboardEvent, root: HTMLElement | null, close: () => void) {
  const items = itemsIn(root);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to =
    { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key] ?? nextNamed(items, at, event);
  if (event.key === 'Escape') {
    event.stopPropagation();
    close();
  }
  if (to === undefined) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}

/** Returns the next item whose name begins with the letter that was typed, or else the one with the focus. */
function nextNamed(items: readonly HTMLElement[], at: number, event: KeyboardEvent): number | undefined {
  if ([...event.key].length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
    return undefined;
  const isNamed = (item: HTMLElement) => item.textContent.toLowerCase().startsWith(event.key.toLowerCase());
  const after = items.findIndex((item, index) => index > at && isNamed(item));
  const found = after === -1 ? items.findIndex(isNamed) : after;
  return found === -1 ? Math.max(at, 0) : found;
}
