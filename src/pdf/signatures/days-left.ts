import type { CertificateSummary } from './signing-certificate-rules.ts';

/** Days before the end of the signing certificate at which a start warns. That leaves time to buy another one. */
export const certificateWarningDays = 30;

/** Days before its end at which `doctor` fails. */
export const certificateAlarmDays = 7;

export function daysLeft({ notAfter }: Pick<CertificateSummary, 'notAfter'>, now: Date): number {
  return (Date.parse(notAfter) - now.getTime()) / 86_400_000;
}
