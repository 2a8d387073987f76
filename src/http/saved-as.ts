/**
 * Returns a `Content-Disposition` that downloads a file under a document's title (RFC 6266). `extension` comes without
 * its dot. Lone surrogates in the title are replaced.
 */
export function savedAs(title: string, extension: string): string {
  const name = encodeURIComponent(title.toWellFormed()).replaceAll("'", '%27');
  return `attachment; filename="document.${extension}"; filename*=UTF-8''${name}.${extension}`;
}
