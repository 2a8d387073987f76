import { type AnswerOf, ApiFailure, api } from '../api/client.ts';

/** What the upload is checked against: the version of the document, and whether fields that don't fit are removed. */
export interface Replacing {
  version?: number;
  remove_fields?: 'true';
}

export function uploadFile(
  id: string,
  file: File,
  replacing: Replacing = {},
): Promise<AnswerOf<'POST', '/documents/:id/file'>> {
  return api.upload('/documents/:id/file', { params: { id }, query: { name: file.name, ...replacing }, file });
}

/** Returns the error code for the address of the page that shows the error. */
export function refusalOf(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return 'failed';
  return failure.param === null ? failure.code : `${failure.code}:${failure.param}`;
}
