'use client';

import { type CSSProperties, createElement, type ReactElement, useEffect, useRef, useState } from 'react';

/** The state of the recipient on the page, such as `open`, `signed`, `completed` or `declined`. New ones may come. */
export type SigningState = string;

export interface SigningFrameProps {
  /** The recipient's personal link, `https://sign.example.com/sign/…`. Another link starts another frame. */
  link: string;
  /** The name of the frame for screen readers. Default: `Countersign`. */
  label?: string;
  /** The page has loaded. It is called again after each change of state. */
  onReady?: (state: SigningState) => void;
  /** The recipient signed or approved. Wait for the webhook before you act on it: a browser can be made to say anything. */
  onSigned?: (state: SigningState) => void;
  onDeclined?: (state: SigningState) => void;
  className?: string;
  /** Replaces the size, which is the whole width and at least 40rem. */
  style?: CSSProperties;
}

const size: CSSProperties = { display: 'block', width: '100%', height: '100%', minHeight: '40rem', border: 0 };

/**
 * Shows a signing page in a frame. The company must list your site's address in *Settings › Signing*: the frame stays empty
 * otherwise. Renders nothing on a server.
 */
export function SigningFrame(props: SigningFrameProps): ReactElement | null {
  const { link, label = 'Countersign', className, style } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  // The newest callbacks, without listening again when they change.
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  // Servers render nothing, and so does the first rendering in the browser, which has to be the same.
  const [site, setSite] = useState<string | null>(null);
  useEffect(() => setSite(location.origin), []);

  useEffect(() => {
    const listen = (message: MessageEvent) => {
      if (message.source !== frame.current?.contentWindow || message.origin !== originOf(link)) return;
      const { source, type, state } = (message.data ?? {}) as { source?: unknown; type?: unknown; state?: unknown };
      if (source !== 'countersign' || typeof state !== 'string') return;
      const { onReady, onSigned, onDeclined } = latest.current;
      if (type === 'ready') onReady?.(state);
      else if (type === 'signed') onSigned?.(state);
      else if (type === 'declined') onDeclined?.(state);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [link]);

  if (site === null || originOf(link) === null) return null;
  return createElement('iframe', {
    key: link,
    ref: frame,
    // Tells the page whom to tell. It comes before the address, which loads the page.
    name: `countersign:${site}`,
    src: link,
    title: label,
    className,
    style: { ...size, ...style },
  });
}

/** Null for what is no web address. */
function originOf(link: string): string | null {
  return /^https?:\/\//.test(link) && URL.canParse(link) ? new URL(link).origin : null;
}
