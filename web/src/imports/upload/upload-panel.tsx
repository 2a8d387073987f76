import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { count, fill } from '../../language.ts';
import { formatBytes } from '../../settings/usage.ts';
import { Button } from '../../ui/button.tsx';
import { uploadText } from './upload-texts.ts';
import { cancelFiles, retryFiles, type Totals, useTotals } from './uploads.ts';

/** The uploads of an import from this page: total progress and failures. */
export function UploadPanel({ importId }: { importId: string }) {
  const totals = useTotals(importId);
  const isSending = totals !== null && totals.active > 0;
  const queryClient = useQueryClient();
  // Refreshes the import, because the outcome of the last file is not shown yet.
  useEffect(() => {
    if (!isSending) void queryClient.invalidateQueries({ queryKey: ['imports'] });
  }, [isSending, queryClient]);
  if (totals === null) return null;
  if (isSending) return <Sending importId={importId} totals={totals} />;
  return totals.failed > 0 ? <NotSent importId={importId} failed={totals.failed} /> : null;
}

function Sending({ importId, totals }: { importId: string; totals: Totals }) {
  const { active, bytes, sentBytes } = totals;
  const done = fill(uploadText.sentOf, { sent: formatBytes(sentBytes), all: formatBytes(bytes) });
  return (
    <section aria-label={uploadText.sending} className="mt-5 rounded-xl border border-rule bg-raised p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-semibold tabular-nums">
          {done} · {count(active, uploadText.toSend)}
        </p>
        <Button onClick={() => cancelFiles(importId, null)}>{uploadText.cancelAll}</Button>
      </div>
      <ByteBar name={uploadText.sending} sent={sentBytes} all={bytes} text={done} />
      <p className="mt-2 text-sm text-soft">{uploadText.keepOpen}</p>
    </section>
  );
}

function NotSent({ importId, failed }: { importId: string; failed: number }) {
  return (
    <section
      aria-label={uploadText.sending}
      className="mt-5 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-rule bg-warn-wash p-4 text-warn"
    >
      <div>
        <p className="font-semibold">{count(failed, uploadText.notSent)}</p>
        <p>{uploadText.notSentText}</p>
      </div>
      <Button onClick={() => retryFiles((upload) => upload.importId === importId)}>{uploadText.sendAgain}</Button>
    </section>
  );
}

interface ByteBarProps {
  name: string;
  sent: number;
  all: number;
  /** The progress in words. */
  text: string;
}

export function ByteBar({ name, sent, all, text }: ByteBarProps) {
  const percent = all === 0 ? 0 : Math.floor((sent / all) * 100);
  return (
    <div
      role="progressbar"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
      className="mt-2 h-2 overflow-hidden rounded-full bg-rule"
    >
      <span className="block h-full origin-left bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}
