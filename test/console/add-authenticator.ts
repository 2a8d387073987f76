import type { Page } from 'playwright-core';

export interface Authenticator {
  /** Whether it knows the finger or the face of its user. */
  recognise(isUserVerified: boolean): Promise<void>;
  /** Counts its passkeys. */
  count(): Promise<number>;
}

/** Adds a virtual authenticator to a page's browser, which agrees unless it is told otherwise. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async recognise(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    async count() {
      return (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
    },
  };
}
