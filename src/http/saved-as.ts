/**
 * Returns a `Content-Disposition` that downloads a file under a document's title (RFC 6266). `extension` comes without
 * its dot. Lone surrogates in the title are replaced.
 */
export function savedAs(title: string, extension: string): string {
  const name = encodeURIComponent(title.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="document.${extension}"; filename*=UTF-8''${name}.${extension}`;
}
