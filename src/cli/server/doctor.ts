import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { answer, oneLine } from '../core/terminal.ts';
import { examine } from './doctor-checks.ts';

export function define(doctor: Command): void {
  doctor
    .description('check everything the service needs; exit 1 and say what to fix when something is wrong')
    .action(async (_options, command: Command) => {
      const findings = await examine();
      answer(command, findings, (all) =>
        all
          .map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(19)}  ${oneLine(detail)}\n`)
          .join(''),
      );
      const failed = findings.filter(({ ok }) => !ok).length;
      if (failed > 0) throw new Refusal(`${failed} of ${findings.length} checks failed`);
    });
}
