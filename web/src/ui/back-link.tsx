import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

/** A link above the heading to the parent page. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a
    {...rest}
    className="-ml-1 inline-flex min-h-9 items-center gap-1 text-sm font-medium text-soft hover:text-ink max-lg:min-h-11"
  >
    <Icon name="back" size={16} />
    {children}
  </a>
));
