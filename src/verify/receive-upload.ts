import type { IncomingMessage } from 'node:http';
import { type ReceivedForm, withForm } from '../http/receive-form.ts';

export type Upload =
  | { kind: 'file'; path: string; name: string }
  /** The form has no file, or the request is not a form. */
  | { kind: 'no_file' }
  | { kind: 'too_large' }
  /** The form is incomplete. */
  | { kind: 'broken' };

/** Limits of the form besides its file. Its few fields are not read. */
const limits = { files: 1, fields: 4, fieldBytesMax: 1024, formBytesMax: 64 * 1024 };

/**
 * Streams the file of a multipart form to disk, calls `work` with it and always deletes it. `contentType` is a separate
 * parameter because the server hides that header from Fastify.
 */
export function withUpload<Result>(
  request: IncomingMessage,
  contentType: string,
  fileBytesMax: number,
  work: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  return withForm(request, contentType, { ...limits, fileBytesMax }, (form) => work(uploadOf(form)));
}

function uploadOf(form: ReceivedForm): Upload {
  if (form.kind === 'not_a_form') return { kind: 'no_file' };
  if (form.kind !== 'form') return form;
  const [file] = form.files;
  return file === undefined ? { kind: 'no_file' } : { kind: 'file', path: file.path, name: file.name };
}
