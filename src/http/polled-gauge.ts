import { Gauge, type Registry } from 'prom-client';
import { DatabaseFailure } from '../postgres/database.ts';

export interface PolledGauge<Label extends string> {
  name: string;
  help: string;
  labelNames?: Label[];
  /** Reads the database and sets the gauge. */
  read(gauge: Gauge<Label>): Promise<void>;
}

/**
 * Adds a gauge that is read on each scrape. If the database fails, the gauge has no value and the other metrics are
 * still served.
 */
export function addPolledGauge<Label extends string>(registry: Registry, polled: PolledGauge<Label>): void {
  const { name, help, labelNames = [], read } = polled;
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      try {
        await read(this);
      } catch (error) {
        if (!(error instanceof DatabaseFailure)) throw error;
        if (labelNames.length === 0) this.remove();
        else this.reset();
      }
    },
  });
}
