import { Gauge, type Registry } from 'prom-client';
import { countRenewals } from '../documents/seal-renewals.ts';
import { addPolledGauge } from '../http/polled-gauge.ts';
import type { CertificateSummary } from '../pdf/signatures/signing-certificate-rules.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../postgres/database.ts';

/** Adds how many sealed files need a new time-stamp. It is read from the database, so every process reports the same. */
export function createRenewalMetrics(registry: Registry, clock: Clock, db: Queryable): void {
  addPolledGauge(registry, {
    name: 'countersign_seal_renewals',
    help: 'Sealed files that are due for a new time-stamp, whose last attempt failed, whose time-stamp has ended, or that were not read yet.',
    labelNames: ['state'],
    async read(gauge) {
      for (const [state, files] of Object.entries(await countRenewals(db, clock.now()))) gauge.set({ state }, files);
    },
  });
}

/** Adds when the certificate that seals documents ends. */
export function showCertificate(registry: Registry, { notAfter }: Pick<CertificateSummary, 'notAfter'>): void {
  const gauge = new Gauge({
    name: 'countersign_signing_certificate_end_timestamp_seconds',
    help: 'When the certificate that seals documents ends, in Unix time.',
    registers: [registry],
  });
  gauge.set(Date.parse(notAfter) / 1000);
}
