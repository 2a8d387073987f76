/** Sample code shown in the reference. Its test runs it. */
export const verifySignatureSample = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isFromCountersign(signature, rawBody, secret, now = Date.now() / 1000) {
  const parts = (signature ?? '').split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(now - Number(t)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  // There is one v1 for each valid secret, up to three after a secret was rolled. One match is enough.
  return parts.some(([name, value = '']) => {
    const received = Buffer.from(name === 'v1' ? value : '', 'hex');
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
}`;
