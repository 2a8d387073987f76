import { inLanguage } from '../language.ts';
import type { UnlockReason } from './types.ts';

const english = {
  title: 'Editable text',
  about: 'Unlock the PDF to edit its text, export it or create a new PDF.',
  unlock: 'Unlock',
  again: 'Try again',
  open: 'Open editable text',
  unlocked: { one: '{n} page unlocked', other: '{n} pages unlocked' },
  pending: 'Unlocking… You can leave this page.',
  notAsked: 'Not unlocked',
  reasons: {
    insufficient_credits: 'Not unlocked: not enough credits. An owner can request more.',
    encrypted_pdf: 'Not unlocked: the PDF is protected against copying.',
    no_text: 'Not unlocked: the pages are images without readable text.',
    conversion_failed: 'Not unlocked: the PDF is damaged or too complex.',
  } satisfies Record<UnlockReason, string>,
  dialogTitle: 'Unlock this document?',
  cost: {
    one: "It has {n} page and costs one credit, once. You aren't charged if unlocking fails.",
    other: "It has {n} pages and costs one credit per page, once. You aren't charged if unlocking fails.",
  },
  free: 'Already paid for. This is free.',
  left: { one: 'Your company has {n} credit.', other: 'Your company has {n} credits.' },
  after: { one: 'Afterwards {n} is left.', other: 'Afterwards {n} are left.' },
  tooFew: 'Not enough credits. Ask your administrator for more, or wait until next month.',
  failures: {
    changed_meanwhile: 'The PDF was replaced, so the price changed. Close this dialog and try again.',
    refused: 'This document is void or has no PDF to unlock.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  title: 'Texto editable',
  about: 'Desbloquear convierte las páginas del PDF en texto que se edita, se exporta y se convierte en un PDF nuevo.',
  unlock: 'Desbloquear',
  again: 'Reintentar',
  open: 'Abrir el texto editable',
  unlocked: { one: '{n} página desbloqueada', other: '{n} páginas desbloqueadas' },
  pending: 'Desbloqueándose. No hace falta dejar abierta esta página.',
  notAsked: 'Sin desbloquear',
  reasons: {
    insufficient_credits: 'Sin desbloquear: no había créditos suficientes. Un propietario puede pedir más.',
    encrypted_pdf: 'Sin desbloquear: el PDF está cifrado para que nadie copie de él.',
    no_text: 'Sin desbloquear: las páginas son imágenes sin texto legible.',
    conversion_failed: 'Sin desbloquear: el PDF está dañado o se tarda demasiado en leerlo.',
  },
  dialogTitle: '¿Desbloquear este documento?',
  cost: {
    one: 'Tiene {n} página, que cuesta un crédito y se paga una sola vez. Si no se puede desbloquear, no se paga nada.',
    other:
      'Tiene {n} páginas; cada una cuesta un crédito y se paga una sola vez. Si no se puede desbloquear, no se paga nada.',
  },
  free: 'Ya está pagado, así que no cuesta nada.',
  left: { one: 'Su empresa tiene {n} crédito.', other: 'Su empresa tiene {n} créditos.' },
  after: { one: 'Después queda {n}.', other: 'Después quedan {n}.' },
  tooFew: 'No bastan. Pida más a quien administra este servicio, o espere a los del mes que viene.',
  failures: {
    changed_meanwhile: 'El PDF se ha sustituido entretanto, y el precio es otro. Cierre esto y vuelva a mirar.',
    refused: 'Este documento está anulado o no tiene ningún PDF que desbloquear.',
  },
};

export const unlockText = inLanguage(english, spanish);
