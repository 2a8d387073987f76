import { fill } from '../../language.ts';
import { formatBytes } from '../../settings/usage.ts';
import { Button } from '../../ui/button.tsx';
import { ByteBar } from './upload-panel.tsx';
import { uploadText } from './upload-texts.ts';
import { cancelFiles, type Progress, retryFiles, sizeOf } from './uploads.ts';

interface UploadCellProps {
  importId: string;
  itemId: string;
  name: string;
  progress: Progress;
}

/** The progress of one upload, with its actions. */
export function UploadCell({ importId, itemId, name, progress }: UploadCellProps) {
  const { kind } = progress;
  const bytes = sizeOf(itemId);
  if (kind === 'cancelled' || kind === 'failed') {
    return (
      <>
        <p className="text-sm">{kind === 'cancelled' ? uploadText.cancelled : failureOf(progress)}</p>
        <RetryButton itemId={itemId} name={name} />
      </>
    );
  }
  const sent = kind === 'sending' ? progress.sent : kind === 'waiting' ? 0 : bytes;
  const text =
    kind === 'sending'
      ? fill(uploadText.sentOf, { sent: formatBytes(sent), all: formatBytes(bytes) })
      : kind === 'waiting'
        ? uploadText.waiting
        : uploadText.checking;
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <ByteBar name={fill(uploadText.progressOf, { name })} sent={sent} all={bytes} text={text} />
        <p className="mt-1 text-sm text-soft tabular-nums">{text}</p>
      </div>
      {(kind === 'waiting' || kind === 'sending') && (
        <Button
          kind="quiet"
          aria-label={fill(uploadText.cancelNamed, { name })}
          onClick={() => cancelFiles(importId, itemId)}
        >
          {uploadText.cancel}
        </Button>
      )}
    </div>
  );
}

export function RetryButton({ itemId, name }: { itemId: string; name: string }) {
  return (
    <Button
      className="mt-1"
      aria-label={fill(uploadText.sendNamedAgain, { name })}
      onClick={() => retryFiles((upload) => upload.itemId === itemId)}
    >
      {uploadText.sendAgain}
    </Button>
  );
}

function failureOf({ error }: Extract<Progress, { kind: 'failed' }>): string {
  return uploadText.failed[error.code] ?? (uploadText.failed.other as string);
}
