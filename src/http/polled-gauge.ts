import { Gauge, type Registry } from 'prom-client';
import { DatabaseFailure } from '../postgres/database.ts';

export interface PolledGauge<Label extends string> {
  name: string;
  help: string;
  labelNames?: Label[];
  /** Asks the database for what to `set`. */
  read(gauge: Gauge<Label>): Promise<void>;
}

/**
 * A gauge that is read whenever somebody asks for the metrics. One that cannot be read has no value then: the others are
 * wanted most while the database is away.
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
