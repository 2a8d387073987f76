import { type ReactNode, useState } from 'react';
import { uiText } from './texts.ts';

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

/** A picture of a PDF page. Shows a notice if the server cannot render the page. */
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
