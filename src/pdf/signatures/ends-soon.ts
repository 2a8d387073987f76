import type { CertificateSummary } from './signing-certificate-rules.ts';

const endsSoonDays = 30;

/** Tells whether the certificate ends within 30 days. That leaves time to buy another one. */
export function endsSoon({ notAfter }: Pick<CertificateSummary, 'notAfter'>, now: Date): boolean {
  return Date.parse(notAfter) - now.getTime() < endsSoonDays * 86_400_000;
}
