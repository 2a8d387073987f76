/** Shown in the reference, and run by its test. */
export const verifySignatureSample = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isFromCountersign(signature, rawBody, secret, now = Date.now() / 1000) {
  const { t, v1 } = Object.fromEntries(signature.split(',').map((part) => part.split('=')));
  if (!(Math.abs(now - Number(t)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  const given = Buffer.from(v1 ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`;
