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
    one: 'It has {n} page and costs one credit, once. You aren’t charged if unlocking fails.',
    other: 'It has {n} pages and costs one credit per page, once. You aren’t charged if unlocking fails.',
  },
  free: 'Already paid for. This is free.',
  left: { one: 'Your company has {n} credit.', other: 'Your company has {n} credits.' },
  after: { one: 'You will have {n} left.', other: 'You will have {n} left.' },
  tooFew: 'Not enough credits. Ask your administrator for more, or wait until next month.',
  failures: {
    changed_meanwhile: 'The PDF was replaced, so the price changed. Close this dialog and try again.',
    refused: 'This document is void or has no PDF to unlock.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  title: 'Texto editable',
  about: 'Desbloquee el PDF para editar su texto, exportarlo o crear un PDF nuevo.',
  unlock: 'Desbloquear',
  again: 'Reintentar',
  open: 'Abrir el texto editable',
  unlocked: { one: '{n} página desbloqueada', other: '{n} páginas desbloqueadas' },
  pending: 'Desbloqueando… Puede salir de esta página.',
  notAsked: 'Sin desbloquear',
  reasons: {
    insufficient_credits: 'Sin desbloquear: no hay créditos suficientes. Un propietario puede pedir más.',
    encrypted_pdf: 'Sin desbloquear: el PDF está protegido contra copia.',
    no_text: 'Sin desbloquear: las páginas son imágenes sin texto legible.',
    conversion_failed: 'Sin desbloquear: el PDF está dañado o es demasiado complejo.',
  },
  dialogTitle: '¿Desbloquear este documento?',
  cost: {
    one: 'Tiene {n} página y cuesta un crédito, una sola vez. Si falla, no se cobra nada.',
    other: 'Tiene {n} páginas y cuesta un crédito por página, una sola vez. Si falla, no se cobra nada.',
  },
  free: 'Ya está pagado. No cuesta nada.',
  left: { one: 'Su empresa tiene {n} crédito.', other: 'Su empresa tiene {n} créditos.' },
  after: { one: 'Le quedará {n}.', other: 'Le quedarán {n}.' },
  tooFew: 'No hay créditos suficientes. Pida más a su administrador o espere al mes que viene.',
  failures: {
    changed_meanwhile: 'Se sustituyó el PDF, así que el precio cambió. Cierre este cuadro e inténtelo de nuevo.',
    refused: 'Este documento está anulado o no tiene ningún PDF que desbloquear.',
  },
};

export const unlockText = inLanguage(english, spanish);
