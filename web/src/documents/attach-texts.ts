import { inLanguage } from '../language.ts';

const english = {
  notTaken: 'The draft was created, but its PDF wasn’t attached. {why}',
  notTakenTemplate: 'The template was created, but its PDF wasn’t attached. {why}',
  unfitTitle: 'Replace the PDF?',
  unfit: {
    one: 'One field doesn’t fit on the new PDF, or needs one that doesn’t. It is removed.',
    other: '{n} fields don’t fit on the new PDF, or need one that doesn’t. They are removed.',
  },
  unfitOthers: 'The others keep their places.',
  uploading: 'Uploading {name}…',
  kept: {
    one: 'The PDF was replaced. Its field kept its place: check that it is right.',
    other: 'The PDF was replaced. Its {n} fields kept their places: check that they are right.',
  },
  failures: {
    invalid_pdf: 'This file isn’t a PDF, or it is damaged. Choose another file.',
    'invalid_pdf:encrypted': 'This PDF is password-protected. Save a copy without a password.',
    'invalid_pdf:xfa': 'XFA forms aren’t supported. Print the form to a PDF and attach that file.',
    'invalid_pdf:too_many_pages': 'This PDF has more than 5000 pages.',
    'invalid_pdf:too_complex': 'This PDF is too complex to process.',
    fields_unfit: 'Some fields don’t fit on this PDF, so it wasn’t attached.',
    file_too_large: 'This file is larger than 150 MB.',
    invalid_input: 'The upload didn’t finish. Try again.',
    refused: 'This document was already sent, so you can’t replace its PDF.',
    changed_meanwhile:
      'Someone else changed this document, so its PDF wasn’t replaced. Check the changes and try again.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  notTaken: 'Se creó el borrador, pero no se adjuntó su PDF. {why}',
  notTakenTemplate: 'Se creó la plantilla, pero no se adjuntó su PDF. {why}',
  unfitTitle: '¿Cambiar el PDF?',
  unfit: {
    one: 'Un campo no cabe en el PDF nuevo, o depende de uno que no cabe, y se quitará.',
    other: '{n} campos no caben en el PDF nuevo, o dependen de uno que no cabe, y se quitarán.',
  },
  unfitOthers: 'Los demás se quedan en su sitio.',
  uploading: 'Subiendo {name}…',
  kept: {
    one: 'Se cambió el PDF. Su campo sigue en el mismo sitio: compruebe que es correcto.',
    other: 'Se cambió el PDF. Sus {n} campos siguen en el mismo sitio: compruebe que son correctos.',
  },
  failures: {
    invalid_pdf: 'Este archivo no es un PDF o está dañado. Elija otro.',
    'invalid_pdf:encrypted': 'Este PDF está protegido con contraseña. Guarde una copia sin contraseña.',
    'invalid_pdf:xfa': 'No se admiten formularios XFA. Imprímalo como PDF y adjunte ese archivo.',
    'invalid_pdf:too_many_pages': 'Este PDF tiene más de 5000 páginas.',
    'invalid_pdf:too_complex': 'Este PDF es demasiado complejo para procesarlo.',
    fields_unfit: 'Algunos campos no caben en este PDF, así que no se adjuntó.',
    file_too_large: 'Este archivo supera los 150 MB.',
    invalid_input: 'La carga no se completó. Inténtelo de nuevo.',
    refused: 'Este documento ya se envió, así que no puede cambiar su PDF.',
    changed_meanwhile:
      'Otra persona cambió este documento, así que no se cambió su PDF. Compruebe los cambios e inténtelo de nuevo.',
  },
};

export const attachText = inLanguage(english, spanish);
