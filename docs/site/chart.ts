const barHeight = 22;
const rowHeight = 48;
const width = 640;

/** Draws lines such as `POST send: 24 %` as horizontal bars. Numbers must be from 0 to 100. */
export function chart(text: string): string {
  const rows = text.trim().split('\n').map(readRow);
  const bars = rows.map(([label, percent], index) => {
    const y = index * rowHeight;
    return `<text class="label" x="0" y="${y + 14}">${label}</text>
<rect class="whole" x="0" y="${y + 20}" width="${width}" height="${barHeight}" rx="3"/>
<rect class="part" x="0" y="${y + 20}" width="${(width * Number(percent)) / 100}" height="${barHeight}" rx="3"/>
<text class="amount" x="8" y="${y + 36}">${percent} %</text>`;
  });
  const description = rows.map(([label, percent]) => `${label}: ${percent} %`).join('; ');
  const height = rows.length * rowHeight;
  return `<figure class="chart"><svg role="img" aria-label="${description}" viewBox="0 0 ${width} ${height}">${bars.join('')}</svg></figure>\n`;
}

function readRow(line: string): [string, string] {
  const [, label, percent] = /^(.+): (\d+(?:\.\d+)?) %$/.exec(line) ?? [];
  if (label === undefined || percent === undefined) throw new Error(`not a row of a chart: ${line}`);
  return [label, percent];
}
