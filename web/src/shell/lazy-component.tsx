import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react';
import { ApiFailure } from '../api/client.ts';
import { untilServiceAnswers } from '../api/reachability.ts';
import { uiText } from '../ui/texts.ts';
import { type Lazy, lazily } from './lazy-dialog.tsx';
import { FailedPage } from './notice-pages.tsx';

/**
 * A page whose script is loaded on demand. The page stays in the application if the script does not arrive: it says that
 * the service does not answer, and continues once it does.
 */
export function lazyPage<Module extends object>(
  load: () => Promise<Module>,
  // By its name, because the types of the pages depend on the types of the routes.
  name: keyof Module,
): (() => ReactNode) & { preload: () => Promise<void> } {
  const lazy = lazily(async () => (await load())[name] as ComponentType);
  function LazyPage() {
    const [, renew] = useReducer((count: number) => count + 1, 0);
    const { component: Page } = lazy;
    return Page === null ? <MissingPage lazy={lazy} onLoaded={renew} /> : <Page />;
  }
  return Object.assign(LazyPage, { preload: lazy.preload });
}

function MissingPage({ lazy, onLoaded }: { lazy: Lazy<object>; onLoaded: () => void }) {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      await lazy.preload();
      if (lazy.component === null && isShown) {
        setFailed(true);
        await untilServiceAnswers();
        await lazy.preload();
        // It may have waited for a request from before the answer, such as one that a pointer over a link started.
        if (lazy.component === null) await lazy.preload();
      }
      if (!isShown) return;
      if (lazy.component !== null) onLoaded();
      // A new version of the service has replaced the script, or the browser does not request it twice.
      else reloadOnce();
    };
    void load();
    return () => {
      isShown = false;
    };
  }, [lazy, onLoaded]);
  if (hasFailed) return <FailedPage error={new ApiFailure('unreachable', 0, '')} />;
  return <p className="text-soft">{uiText.loading}</p>;
}

const reloadedAt = 'countersign-reloaded-at';
const reloadRestMs = 60_000;

/** Reloads the page, but not again and again if that does not help. */
function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
  if (Date.now() - last < reloadRestMs) return;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  location.reload();
}
