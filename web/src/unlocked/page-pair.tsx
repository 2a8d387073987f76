import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { fill } from '../language.ts';
import { PagePicture } from '../ui/page-picture.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import type { Caret } from './edit-rows.ts';
import { PageRows } from './page-rows.tsx';
import type { Box } from './rows.ts';
import type { PageState } from './text-state.ts';
import type { TextStore } from './text-store.ts';
import { textText } from './text-texts.ts';
import { useNear } from './use-near.ts';

interface PagePairProps {
  id: string;
  page: number;
  all: number;
  state: PageState | undefined;
  caret: Caret | null;
  store: TextStore;
  onTooMuch: () => void;
}

/** A pause in typing that starts a new undo step. */
const pauseMs = 800;

/** A page of the PDF and its text. They are loaded when they come near the visible area. */
export const PagePair = memo(function PagePair(props: PagePairProps) {
  const { id, page, all, state, caret, store, onTooMuch } = props;
  const item = useRef<HTMLLIElement>(null);
  const isNear = useNear(item);
  const [active, setActive] = useState<string | null>(null);
  const { data, error } = useQuery({
    queryKey: ['unlocked', id, page],
    queryFn: ({ signal }) => api.get('/documents/:id/unlocked/pages/:page', { params: { id, page }, signal }),
    enabled: isNear && state === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) store.dispatch({ type: 'read', page: data });
  }, [data, store]);

  const isShown = useRef(isNear);
  isShown.current = isNear;
  // An undone change may be on another page.
  useEffect(() => {
    if (caret !== null && !isShown.current) item.current?.scrollIntoView({ block: 'start' });
  }, [caret]);
  const burst = useRef({ at: 0, number: 0 });
  const onChange = useCallback<Parameters<typeof PageRows>[0]['onChange']>(
    (change, typing) => {
      const rows = store.read().pages.get(page)?.rows;
      if (rows === undefined) return;
      const now = performance.now();
      if (now - burst.current.at > pauseMs) burst.current.number += 1;
      burst.current.at = now;
      const of = typing === undefined ? null : `${typing} ${burst.current.number}`;
      store.dispatch({ type: 'edited', page, ...change(rows), typing: of });
    },
    [store, page],
  );
  const box = state?.rows.find(({ key }) => key === active)?.box ?? null;
  const name = fill(textText.page, { n: page, all });
  return (
    <li ref={item} aria-label={name} className="min-h-[60vh] first:[&>h2]:border-0">
      <h2 className="mb-2 border-t border-rule pt-4 text-base text-soft">{name}</h2>
      {isNear && (
        <div className="grid gap-5 lg:grid-cols-2">
          <Picture id={id} page={page} size={data ?? state?.size ?? null} box={box} />
          <div className="min-w-0">
            <Problem of={error} failures={textText.failures} />
            {state === undefined ? (
              error === null && <p className="text-soft">{uiText.loading}</p>
            ) : (
              <PageRows {...{ page, caret, active, onChange, onTooMuch }} rows={state.rows} onEnter={setActive} />
            )}
          </div>
        </div>
      )}
    </li>
  );
});

interface PictureProps {
  id: string;
  page: number;
  size: { width: number; height: number } | null;
  /** The highlighted area: the position of the edited block. */
  box: Box | null;
}

function Picture({ id, page, size, box }: PictureProps) {
  const source = `/console/api/documents/${id}/unlocked/pages/${page}/picture`;
  const { width, height } = size !== null && size.width > 0 ? size : { width: 612, height: 792 };
  return (
    <div className="self-start lg:sticky lg:top-4">
      <PagePicture
        source={source}
        widths={[600, 900, 1200]}
        sizes="(min-width: 64rem) 34rem, 100vw"
        width={width}
        height={height}
        name={fill(textText.picture, { n: page })}
      >
        {box !== null && box.width > 0 && box.height > 0 && (
          <div
            aria-hidden="true"
            className="pointer-events-none absolute rounded-sm outline-2 outline-offset-2 outline-focus"
            style={{
              left: `${(box.x / width) * 100}%`,
              top: `${(box.y / height) * 100}%`,
              width: `${(box.width / width) * 100}%`,
              height: `${(box.height / height) * 100}%`,
            }}
          />
        )}
      </PagePicture>
    </div>
  );
}
