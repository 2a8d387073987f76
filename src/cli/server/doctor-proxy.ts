import type { Config } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import { createDeadlines } from '../../public-fetch/deadlines.ts';
import { createProxyJudge } from '../../public-fetch/proxy-judge.ts';
import { PublicFetchError } from '../../public-fetch/public-fetch.ts';
import { openTunnel } from '../../public-fetch/tunnel.ts';

const networkMsMax = 5000;
/** Reserved for documentation (RFC 5737), so the proxy reaches nobody there. */
const nowhere = { host: '192.0.2.1', address: '192.0.2.1', port: 443 };

/**
 * Asks the proxy for a connection that leads nowhere. It fails when the proxy cannot be reached or refuses the credentials.
 * Every other answer, and no answer in time, shows that the proxy is there.
 */
export async function checkOutboundProxy({ outboundProxyUrl }: Config): Promise<string> {
  if (outboundProxyUrl === null) return 'none (OUTBOUND_PROXY_URL is not set)';
  const { host } = new URL(outboundProxyUrl);
  const deadline = createDeadlines().start(networkMsMax);
  try {
    (await openTunnel({ url: outboundProxyUrl }, createProxyJudge(), nowhere, deadline, 1)).destroy();
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error;
    if (error.kind === 'our_fault') throw new OperatorError(`OUTBOUND_PROXY_URL: ${host}: ${error.message}`);
  } finally {
    deadline.end();
  }
  return `${host} answers`;
}
