import type { FieldFile } from '../documents/field-file.ts';
import { savedAs } from '../http/saved-as.ts';

/**
 * Returns the headers with which a file of a recipient is downloaded. Browsers must never show it as a page of ours: it is saved,
 * its type is not guessed, and a browser that opens it anyway gives it no rights.
 */
export function attachmentHeaders({
  name,
  media_type,
}: Pick<FieldFile, 'name' | 'media_type'>): Record<string, string> {
  const dot = name.lastIndexOf('.');
  return {
    'content-type': media_type,
    'content-disposition': savedAs(name.slice(0, dot), name.slice(dot + 1)),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  };
}
