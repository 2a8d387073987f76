/** A signing certificate cannot seal documents. The message completes a sentence that names the file. */
export class CertificateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CertificateError';
  }
}
