import type { Canvas } from '../../pdf/drawing/canvas.ts';
import { colours, type Margins, styles } from '../../pdf/drawing/theme.ts';
import { oneLine } from '../../pdf/text/wrap-text.ts';
import type { SealInput } from '../seal-input.ts';
import { wordsOf } from './words.ts';

/** A page with the margins of its content, and the baselines of the header and footer in points from its edges. */
export interface RunningPage {
  canvas: Canvas;
  margins: Margins;
  head: number;
  foot: number;
}

/**
 * Draws the header and footer of every page. Call it last, when the number of pages is known. `before` is the number of
 * pages before these.
 */
export function drawRunningLines(
  pages: readonly RunningPage[],
  { document, accountName, language }: SealInput,
  before = 0,
): void {
  const words = wordsOf[language];
  const style = styles.small;
  for (const [i, { canvas, margins, ...lines }] of pages.entries()) {
    const left = margins.side;
    const right = canvas.width - margins.side;
    const half = (right - left) / 2 - 10;
    const head = lines.head;
    const foot = canvas.height - lines.foot;
    const number = oneLine(words.page(before + i + 1, before + pages.length), style, half);
    const title = before + i === 0 ? oneLine('', style, half) : oneLine(document.title, style, half);

    if (document.isTest) {
      const mark = oneLine(words.testMode, styles.label, right - left);
      const x = (canvas.width - mark.width) / 2;
      canvas.text(mark, { x, y: head - 14, size: styles.label.size, colour: colours.warning });
    }
    const account = oneLine(accountName, { stack: styles.name.stack, size: style.size }, half);
    canvas.text(account, { x: left, y: head, size: style.size, colour: colours.ink });
    canvas.text(title, { x: right - title.width, y: head, size: style.size, colour: colours.soft });
    canvas.rule(
      { x: left, y: head + 9 },
      { x: right, y: head + 9 },
      i === 0 ? colours.accent : colours.rule,
      i === 0 ? 1.2 : 0.6,
    );

    canvas.rule({ x: left, y: foot - 14 }, { x: right, y: foot - 14 }, colours.rule);
    const id = oneLine(`${words.documentId} ${document.id}`, style, right - left - number.width - 20);
    canvas.text(id, { x: left, y: foot, size: style.size, colour: colours.soft });
    canvas.text(number, { x: right - number.width, y: foot, size: style.size, colour: colours.soft });
  }
}
