/** Thrown when the vendor answers 401: the access token has expired or was revoked. */
export class VendorTokenRefused extends Error {
  constructor() {
    super('the e-signature vendor refused the access token');
    this.name = 'VendorTokenRefused';
  }
}
