/** Draws lines such as `POST send: 24 %` as bars, under their labels. Numbers must be from 0 to 100. */
export function chart(text: string): string {
  const rows = text.trim().split('\n').map(readRow);
  const bars = rows.map(
    ([label, percent]) => `<dt>${label}</dt>
<dd><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="1"/></svg> ${percent} %</dd>
`,
  );
  return `<dl class="chart">\n${bars.join('')}</dl>\n`;
}

function readRow(line: string): [string, string] {
  const [, label, percent] = /^(.+): (\d+(?:\.\d+)?) %$/.exec(line) ?? [];
  if (label === undefined || percent === undefined) throw new Error(`not a row of a chart: ${line}`);
  return [label, percent];
}
