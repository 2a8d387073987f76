import { Badge } from '../../ui/status-badge.tsx';
import { linkText } from './link-texts.ts';
import type { PublicLinkView } from './types.ts';

const tones = { open: 'good', off: 'neutral', ended: 'neutral', used_up: 'warn', unavailable: 'bad' } as const;

/** What visitors of a link meet now. */
export function LinkStatus({ of: { availability } }: { of: PublicLinkView }) {
  return <Badge tone={tones[availability]}>{linkText.statuses[availability]}</Badge>;
}
