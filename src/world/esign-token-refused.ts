/** The vendor answered 401: the access token it was shown has ended, or was revoked. */
export class VendorTokenRefused extends Error {
  constructor() {
    super('the e-signature vendor refused the access token');
    this.name = 'VendorTokenRefused';
  }
}
