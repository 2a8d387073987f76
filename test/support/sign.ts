import { join } from 'node:path';
import { listMailbox } from '../../src/platform/mailbox.ts';

/** Signs as the recipient at `address`, with the link in the local mailbox, like the signing page. */
export async function signAs(
  app: { baseUrl: string; dataDir: string },
  address: string,
  fullName: string,
): Promise<void> {
  const [message] = await listMailbox(join(app.dataDir, 'mailbox'), { to: address, limit: 1 });
  const link = new URL(message?.links[0] ?? '', app.baseUrl);
  // The link names the public address. In a test, the process listens elsewhere.
  const response = await fetch(`${new URL(app.baseUrl).origin}${link.pathname}/sign`, {
    method: 'POST',
    body: JSON.stringify({ full_name: fullName, signature: { kind: 'typed' } }),
  });
  if (response.status !== 200) throw new Error(`${address} could not sign: ${await response.text()}`);
}
