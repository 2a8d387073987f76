import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { untilServiceAnswers } from '../api/reachability.ts';
import { Button } from './button.tsx';
import { uiText } from './texts.ts';

/** The waits before a picture that did not arrive is requested again. The service makes only a few at once. */
const againMs = [2000, 5000];

interface PagePictureProps {
  /** Address of the picture. The width is added to it. */
  source: string;
  /** Available widths in pixels and the `sizes` attribute. The browser picks one for its screen. */
  widths: readonly [number, number, number];
  sizes: string;
  /** In points. Reserves the space before the picture is loaded. */
  width: number;
  height: number;
  name: string;
  isLazy?: boolean;
  /** Elements on top of the picture. */
  children?: ReactNode;
}

/**
 * A picture of a PDF page. It is requested again if it does not arrive: after a pause, and once the service answers. Then a notice
 * of the same size offers to try again.
 */
export function PagePicture({ source, widths, sizes, width, height, name, isLazy, children }: PagePictureProps) {
  const [failures, setFailures] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const wait = againMs[failures - 1];
  useEffect(() => {
    if (wait === undefined) return;
    let isShown = true;
    const timer = setTimeout(async () => {
      await untilServiceAnswers();
      if (isShown) setAttempt((count) => count + 1);
    }, wait);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [wait]);
  if (failures > againMs.length) {
    const tryAgain = async (event: MouseEvent) => {
      event.stopPropagation(); // a click on a page may place a field
      // The session may have ended. The request then asks to sign in.
      await api.get('/me').catch(() => {});
      setFailures(0);
    };
    return (
      <div
        style={{ aspectRatio: `${width} / ${height}` }}
        className="grid place-content-center justify-items-center gap-3 rounded-lg border border-rule bg-wash p-4 text-center text-soft"
      >
        <p>{uiText.pageUnavailable}</p>
        {/* Above the fields that are placed on the page. */}
        <Button className="relative z-1" onClick={(event) => void tryAgain(event)}>
          {uiText.tryAgain}
        </Button>
      </div>
    );
  }
  const at = (pixels: number) => `${source}${source.includes('?') ? '&' : '?'}width=${pixels}`;
  return (
    <div className="relative">
      <img
        key={attempt}
        src={at(widths[1])}
        srcSet={widths.map((pixels) => `${at(pixels)} ${pixels}w`).join(', ')}
        sizes={sizes}
        width={Math.round(width)}
        height={Math.round(height)}
        loading={isLazy ? 'lazy' : 'eager'}
        decoding="async"
        alt={name}
        onLoad={() => setFailures(0)}
        onError={() => setFailures((count) => count + 1)}
        className="h-auto w-full rounded-lg border border-rule bg-raised"
      />
      {children}
    </div>
  );
}
