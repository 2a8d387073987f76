import { ApiFailure } from '../../api/client.ts';
import { type Sending, sendFile, type UploadOutcome } from './send-file.ts';

const attemptsMax = 5;
const firstPauseMs = 1000;

/**
 * Uploads a file, and retries after temporary errors. While the server has no room, it retries without a limit. Throws the
 * last `ApiFailure`, or the reason of `signal` after an abort.
 */
export async function keepSending(path: string, file: File, { onProgress, signal }: Sending): Promise<UploadOutcome> {
  for (let attempt = 1; ; ) {
    try {
      await assertReadable(file);
      signal.throwIfAborted();
      return await sendFile(path, file, { onProgress, signal });
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : new ApiFailure('unreadable', 0, String(error));
      const isTurnedAway = failure.code === 'too_many_tries';
      if (signal.aborted || (!isTurnedAway && (!isTemporary(failure) || attempt === attemptsMax))) throw failure;
      onProgress(0);
      await pause(isTurnedAway ? failure.retryAfterSeconds * 1000 : firstPauseMs * 2 ** (attempt - 1), signal);
      if (signal.aborted) throw failure;
      if (!isTurnedAway) attempt += 1;
    }
  }
}

/** Throws `unreadable` for folders and for files that were removed or changed. Otherwise they look like a lost connection. */
async function assertReadable(file: File): Promise<void> {
  await file.slice(0, 1).arrayBuffer();
}

/** Whether the connection, the server or a timeout failed, and not the file. */
function isTemporary({ code, status, param }: ApiFailure): boolean {
  return code === 'unreachable' || code === 'request_timeout' || status >= 500 || param === 'file';
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
