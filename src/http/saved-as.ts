/**
 * Returns a `Content-Disposition` that saves a file under a document's title and never opens it (RFC 6266).
 * `extension` comes without its dot. A lone surrogate in the title is replaced.
 */
export function savedAs(title: string, extension: string): string {
  const name = encodeURIComponent(title.toWellFormed()).replaceAll("'", '%27');
  return `attachment; filename="document.${extension}"; filename*=UTF-8''${name}.${extension}`;
}
