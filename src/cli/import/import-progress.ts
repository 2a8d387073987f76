import type { WriteStream } from 'node:tty';
import type { ImportJson } from '../../imports/json.ts';
import { measurePace, paceText } from './import-pace.ts';

export interface Progress {
  update(row: ImportJson): void;
  end(): void;
}

const barWidth = 30;

/**
 * Shows a progress bar with the pace and the time left. Without a terminal, prints a line whenever the counts change.
 */
export function showProgress(out: Pick<WriteStream, 'write' | 'isTTY'>): Progress {
  const paceOf = measurePace();
  let last = '';
  return {
    update(row) {
      const counts = progressLine(row);
      const pace = paceOf(row, performance.now() / 1000);
      const line = pace === null || row.status === 'finished' ? counts : `${counts}; ${paceText(pace)}`;
      if (line === last || (!out.isTTY && last.startsWith(counts))) return;
      last = line;
      out.write(out.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end() {
      if (out.isTTY && last !== '') out.write('\n');
    },
  };
}

/** `[████████░░░░] 8 of 12: 7 filed, 1 failed` */
export function progressLine({ total_files, filed, failed, status }: ImportJson): string {
  const ended = filed + failed;
  const full =
    total_files === 0 ? (status === 'finished' ? barWidth : 0) : Math.floor((ended / total_files) * barWidth);
  const bar = '█'.repeat(full) + '░'.repeat(barWidth - full);
  return `[${bar}] ${ended} of ${total_files}: ${filed} filed, ${failed} failed`;
}
