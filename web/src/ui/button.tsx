import type { ButtonHTMLAttributes } from 'react';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

const looks: Record<Kind, string> = {
  primary: 'border-accent bg-accent text-page hover:opacity-90',
  plain: 'border-edge bg-raised text-ink hover:bg-wash',
  danger: 'border-bad bg-raised text-bad hover:bg-bad-wash',
  quiet: 'border-transparent text-soft hover:bg-wash hover:text-ink',
};

/** Class names. Links that look like buttons use them too. */
export function buttonClass(kind: Kind = 'plain', extra = ''): string {
  const shape =
    'inline-flex min-h-9 max-lg:min-h-11 items-center justify-center gap-2 rounded-lg border px-3.5 py-1.5 text-sm leading-tight font-semibold no-underline disabled:cursor-default disabled:opacity-55 aria-busy:cursor-progress aria-busy:opacity-65';
  return `${shape} ${looks[kind]} ${extra}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  /** While busy, the button keeps the focus and ignores clicks. */
  isBusy?: boolean;
}

export function Button({ kind = 'plain', isBusy = false, className = '', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, className)}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}
