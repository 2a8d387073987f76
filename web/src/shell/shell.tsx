import { Link, Outlet } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useMe } from '../api/me.ts';
import { reviewsShownMax, useReviews } from '../documents/use-reviews.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { lazyDialog } from './lazy-dialog.tsx';
import { OtherCompany } from './other-company.tsx';
import { OtherPerson } from './other-person.tsx';
import { ServiceAway } from './service-away.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { shellText } from './texts.ts';
import { useLiveUpdates } from './use-live-updates.ts';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazyDialog(() => import('./command-palette.tsx').then((module) => module.CommandPalette));
const ShortcutsDialog = lazyDialog(() => import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog));

const places: { name: string; to: '/documents' | '/templates' | '/imports' | '/settings'; icon: IconName }[] = [
  { name: shellText.documents, to: '/documents', icon: 'documents' },
  { name: shellText.templates, to: '/templates', icon: 'templates' },
  { name: shellText.imports, to: '/imports', icon: 'imports' },
  { name: shellText.settings, to: '/settings', icon: 'settings' },
];

/** The frame of all pages. The navigation is on the left, or at the bottom on phones. */
export function Shell() {
  const { account } = useMe();
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const [isSignedOut, setSignedOut] = useState(false);
  useLiveUpdates(isSignedOut);
  useShortcuts({ openPalette: () => setOpen('palette'), openShortcuts: () => setOpen('shortcuts') });
  const close = () => setOpen(null);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-30 rounded-md bg-raised px-4 py-2 font-semibold focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        {shellText.skip}
      </a>
      <header className="sticky top-0 z-10 flex items-center gap-2 border-b border-rule bg-wash px-4 py-2 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-4 lg:border-r lg:border-b-0 lg:px-3 lg:py-4">
        <Link to="/documents" search={{}} className="flex min-w-0 items-center gap-2.5 rounded-md px-1 lg:px-2">
          <img src="/docs/icon.svg" alt="" width="26" height="26" className="shrink-0" />
          <span className="grid min-w-0">
            <span className="font-serif text-[1.05rem] leading-tight font-semibold">Countersign</span>
            <span className="truncate text-xs leading-tight text-soft">
              <bdi>{account.display_name}</bdi>
            </span>
          </span>
        </Link>
        <button
          type="button"
          onClick={() => setOpen('palette')}
          className="ml-auto flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-lg border-rule px-2 text-sm text-soft hover:text-ink lg:ml-0 lg:min-h-9 lg:justify-start lg:border lg:bg-raised"
        >
          <Icon name="search" />
          <span className="flex-1 text-left max-lg:sr-only">{shellText.search}</span>
          <span className="text-xs max-lg:hidden">{isApple ? '⌘K' : 'Ctrl K'}</span>
        </button>
        <nav
          aria-label={shellText.navigation}
          className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:border-t max-lg:border-rule max-lg:bg-wash max-lg:pb-[env(safe-area-inset-bottom)] lg:flex-1"
        >
          <ul className="flex max-lg:justify-around lg:grid lg:gap-0.5">
            {places.map(({ name, to, icon }) => (
              <li key={to} className="max-lg:flex-1">
                <Link
                  to={to}
                  className="relative flex items-center gap-2.5 rounded-lg px-2 py-1.5 font-medium text-soft hover:text-ink aria-[current=page]:text-accent max-lg:flex-col max-lg:gap-0.5 max-lg:px-0.5 max-lg:py-2 max-lg:text-xs lg:aria-[current=page]:bg-accent-wash"
                >
                  <Icon name={icon} />
                  {name}
                  {to === '/documents' && <Waiting />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <AccountMenu openShortcuts={() => setOpen('shortcuts')} />
      </header>
      <div className="min-w-0">
        <div className="sticky top-0 z-20 max-lg:top-[3.8rem]">
          <ServiceAway />
          <OtherPerson />
          <OtherCompany />
        </div>
        <main
          id="content"
          tabIndex={-1}
          className={`min-w-0 px-4 pt-5 pb-24 outline-none sm:px-8 lg:pt-8 lg:pb-12 ${isSignedOut ? 'invisible [&_dialog]:invisible' : ''}`}
        >
          <div className="mx-auto max-w-6xl">
            <Suspense>
              <Outlet />
            </Suspense>
          </div>
        </main>
      </div>
      <ConfirmIdentity />
      <SignInAgain isSignedOut={isSignedOut} onChange={setSignedOut} />
      {open === 'palette' && <CommandPalette onClose={close} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </div>
  );
}

/** Hidden from screen readers, because the list says the same in words. */
function Waiting() {
  const reviews = useReviews();
  if (reviews === 0) return null;
  return (
    <span
      aria-hidden="true"
      className="rounded-full bg-warn-wash px-1.5 text-xs font-semibold text-warn max-lg:absolute max-lg:top-1 max-lg:left-[calc(50%+0.5rem)] lg:ml-auto"
    >
      {reviews > reviewsShownMax ? `${reviewsShownMax}+` : reviews}
    </span>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
