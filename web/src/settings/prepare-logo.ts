/** Enough for sharp screens: a logo is shown at most 220 × 44 pixels large. */
const widthMax = 880;
const heightMax = 264;
const jpegQuality = 0.92;

/**
 * Draws a logo again, so that e-mails stay small and pictures of every kind that the browser knows can be chosen. Returns the
 * file as it is if the browser can't read it: the server says what is wrong with it.
 */
export async function prepareLogo(file: File): Promise<File> {
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, widthMax / image.width, heightMax / image.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    const context = canvas.getContext('2d');
    if (context === null) return file;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, jpegQuality));
    return drawn === null ? file : new File([drawn], file.name, { type });
  } catch {
    return file;
  }
}
