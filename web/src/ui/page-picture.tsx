import { type ReactNode, useState } from 'react';
import { uiText } from './texts.ts';

interface PagePictureProps {
  /** Its address, to which the width is added that it is asked for in. */
  source: string;
  /** Those offered, in pixels, and what of the window it fills: the browser takes what the screen has use for. */
  widths: readonly [number, number, number];
  sizes: string;
  /** In points, so that nothing jumps when it comes. */
  width: number;
  height: number;
  name: string;
  isLazy?: boolean;
  /** What lies on it. */
  children?: ReactNode;
}

/** A page of a PDF. One that the server cannot show says so. */
export function PagePicture({ source, widths, sizes, width, height, name, isLazy, children }: PagePictureProps) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) {
    return <p className="rounded-lg border border-rule bg-wash p-8 text-center text-soft">{uiText.pageUnavailable}</p>;
  }
  const at = (pixels: number) => `${source}${source.includes('?') ? '&' : '?'}width=${pixels}`;
  return (
    <div className="relative">
      <img
        src={at(widths[1])}
        srcSet={widths.map((pixels) => `${at(pixels)} ${pixels}w`).join(', ')}
        sizes={sizes}
        width={Math.round(width)}
        height={Math.round(height)}
        loading={isLazy ? 'lazy' : 'eager'}
        decoding="async"
        alt={name}
        onError={() => setFailed(true)}
        className="h-auto w-full rounded-lg border border-rule bg-raised"
      />
      {children}
    </div>
  );
}
