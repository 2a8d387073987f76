import type { RestrictedKind } from '../../../src/documents/document.ts';
import { inLanguage } from '../language.ts';

/** Reasons for a restriction, in words. */
export const restrictedKindNames: Record<RestrictedKind, string> = inLanguage(
  {
    pay: 'Pay',
    tax: 'Tax',
    identity: 'Identity numbers',
    bank: 'Bank details',
    health: 'Health',
    other: 'Other',
  },
  {
    pay: 'Salario',
    tax: 'Impuestos',
    identity: 'Números de identidad',
    bank: 'Datos bancarios',
    health: 'Salud',
    other: 'Otro',
  },
);
