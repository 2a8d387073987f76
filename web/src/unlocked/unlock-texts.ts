import { inLanguage } from '../language.ts';
import type { UnlockReason } from './types.ts';

const english = {
  title: 'Editable text',
  about: 'Unlocking turns the pages of the PDF into text that can be edited, exported and made into a new PDF.',
  unlock: 'Unlock',
  again: 'Try again',
  open: 'Open editable text',
  unlocked: { one: '{n} page unlocked', other: '{n} pages unlocked' },
  pending: 'Being unlocked. This page need not stay open.',
  notAsked: 'Not unlocked',
  reasons: {
    insufficient_credits: 'Not unlocked: there were too few credits. An owner can have some added.',
    encrypted_pdf: 'Not unlocked: the PDF is encrypted, so that nobody may copy from it.',
    no_text: 'Not unlocked: its pages are pictures without text that could be read.',
    conversion_failed: 'Not unlocked: the PDF is damaged, or takes too long to read.',
  } satisfies Record<UnlockReason, string>,
  dialogTitle: 'Unlock this document?',
  cost: {
    one: 'It has {n} page, which costs one credit, paid once. Nothing is paid if it cannot be unlocked.',
    other: 'It has {n} pages, each of which costs a credit, paid once. Nothing is paid if it cannot be unlocked.',
  },
  free: 'It is paid for already, so this costs nothing.',
  left: { one: 'Your company has {n} credit.', other: 'Your company has {n} credits.' },
  after: { one: 'Afterwards {n} is left.', other: 'Afterwards {n} are left.' },
  tooFew: 'That is too few. Ask whoever runs this service for more, or wait for those of next month.',
  failures: {
    changed_meanwhile: 'The PDF was replaced meanwhile, so that the price is another. Close this and look again.',
    refused: 'This document is void, or has no PDF to unlock.',
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
    no_text: 'Sin desbloquear: sus páginas son imágenes sin texto que se pueda leer.',
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
