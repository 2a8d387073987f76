import type { UploadOutcome } from '../../../../src/imports/upload/find-outcome.ts';
import { ApiFailure, ask, failureOf } from '../../api/client.ts';
import { shownHeaders } from '../../api/shown.ts';

export type { UploadOutcome };

/** A connection without progress is aborted after this time and retried. */
const silenceMs = 60_000;
/** Time for the server to check the file after the upload. */
const answerMs = 180_000;

export interface Sending {
  /** Bytes sent so far. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/** Uploads a file with XMLHttpRequest, the only API with upload progress. Throws an `ApiFailure`. */
export function sendFile(path: string, file: File, { onProgress, signal }: Sending): Promise<UploadOutcome> {
  const request = new XMLHttpRequest();
  const giveUp = () => request.abort();
  let timer = setTimeout(giveUp, silenceMs);
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, ms);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  request.open('POST', `/console/api${path}`);
  for (const [name, value] of Object.entries(shownHeaders())) request.setRequestHeader(name, value);
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded }) => {
    wait(silenceMs);
    onProgress(loaded);
  };
  request.upload.onload = () => {
    wait(answerMs);
    onProgress(file.size);
  };
  const answered = new Promise<UploadOutcome>((resolve, reject) => {
    request.onload = () => {
      if (request.status === 200) resolve(request.response as UploadOutcome);
      else reject(refusalOf(request));
    };
    request.onerror = () => reject(new ApiFailure('unreachable', 0, ''));
    request.onabort = request.onerror;
  });
  request.send(file);
  return answered.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}

function refusalOf(request: XMLHttpRequest): ApiFailure {
  const headers = new Headers({ 'retry-after': request.getResponseHeader('retry-after') ?? '0' });
  const failure = failureOf({ status: request.status, headers }, request.response ?? {});
  if (failure.code === 'not_signed_in') void ask('not_signed_in');
  return failure;
}
