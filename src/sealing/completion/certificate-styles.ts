import type { Style } from '../../pdf/drawing/theme.ts';
import { fontStacks } from '../../pdf/text/typefaces.ts';

/** Text of the certificate of completion: small, because all facts of one or two signers fit on one page. */
export const fine = {
  title: { stack: fontStacks.serifSemiBold, size: 18, leading: 21, role: 'H1' },
  heading: { stack: fontStacks.serifSemiBold, size: 10.5, leading: 13, role: 'H2' },
  name: { stack: fontStacks.sansMedium, size: 8.4, leading: 10.5 },
  value: { stack: fontStacks.sans, size: 6.9, leading: 8.3 },
  code: { stack: fontStacks.mono, size: 6.4, leading: 8.3 },
  note: { stack: fontStacks.sans, size: 6.1, leading: 7.3 },
  noteCode: { stack: fontStacks.mono, size: 5.4, leading: 7.3 },
} as const satisfies Record<string, Style>;
