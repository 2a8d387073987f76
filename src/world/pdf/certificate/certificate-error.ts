/** Why a signing certificate cannot seal documents, as the end of a sentence that names the file. */
export class CertificateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CertificateError';
  }
}
