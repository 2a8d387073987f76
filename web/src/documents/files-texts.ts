import { inLanguage } from '../language.ts';
import { attachText } from './attach-texts.ts';

const english = {
  hint: 'Recipients see the files one after another, as one document. Fields move with their pages.',
  add: 'Add PDFs',
  addHint: 'Up to {max} files, 150 MB and 5000 pages together.',
  drop: 'Drop PDFs here or choose them',
  adding: 'Adding {name} ({n} of {all})…',
  moved: '{name} is now file {n} of {all}',
  removed: '{name} was removed',
  pages: { one: '1 page', other: '{n} pages' },
  moveUp: 'Move {name} up',
  moveDown: 'Move {name} down',
  remove: 'Remove {name}',
  removeTitle: 'Remove {name}?',
  changedMeanwhile: 'Someone else changed the files. Nothing was removed.',
  removeFields: {
    one: 'One field on its pages is removed too.',
    other: '{n} fields on its pages are removed too.',
  },
  removeNoFields: 'There are no fields on its pages.',
  confirmRemove: 'Remove',
  done: 'Done',
  refused: '{name}: {why}',
  failures: {
    'invalid_pdf:damaged': 'This PDF is damaged, so it can’t be joined with others.',
    'invalid_pdf:encrypted': 'This PDF is protected. Save a copy without protection.',
    'invalid_pdf:signed': 'This PDF is signed. Joining it with others would break its signature.',
    'invalid_pdf:too_many_pages': 'The files have more than 5000 pages together.',
    'invalid_pdf:too_complex': 'The files are too complex to be joined.',
    'file_too_large:together': 'The files are larger than 150 MB together.',
    too_many_parts: 'A document can have up to 20 files.',
    changed_meanwhile: 'Someone else changed the files. Check the list and try again.',
    refused: 'This document was already sent or scheduled, so you can’t change its files.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  hint: 'Los destinatarios ven los archivos uno tras otro, como un solo documento. Los campos se mueven con sus páginas.',
  add: 'Añadir PDF',
  addHint: 'Hasta {max} archivos, 150 MB y 5000 páginas en total.',
  drop: 'Suelte aquí los PDF o elíjalos',
  adding: 'Añadiendo {name} ({n} de {all})…',
  moved: '{name} es ahora el archivo {n} de {all}',
  removed: 'Se quitó {name}',
  pages: { one: '1 página', other: '{n} páginas' },
  moveUp: 'Subir {name}',
  moveDown: 'Bajar {name}',
  remove: 'Quitar {name}',
  removeTitle: '¿Quitar {name}?',
  changedMeanwhile: 'Otra persona cambió los archivos. No se quitó nada.',
  removeFields: {
    one: 'También se quita un campo de sus páginas.',
    other: 'También se quitan {n} campos de sus páginas.',
  },
  removeNoFields: 'No hay campos en sus páginas.',
  confirmRemove: 'Quitar',
  done: 'Listo',
  refused: '{name}: {why}',
  failures: {
    'invalid_pdf:damaged': 'Este PDF está dañado, así que no se puede unir con otros.',
    'invalid_pdf:encrypted': 'Este PDF está protegido. Guarde una copia sin protección.',
    'invalid_pdf:signed': 'Este PDF está firmado. Unirlo con otros rompería su firma.',
    'invalid_pdf:too_many_pages': 'Los archivos tienen más de 5000 páginas en total.',
    'invalid_pdf:too_complex': 'Los archivos son demasiado complejos para unirlos.',
    'file_too_large:together': 'Los archivos superan los 150 MB en total.',
    too_many_parts: 'Un documento puede tener hasta 20 archivos.',
    changed_meanwhile: 'Otra persona cambió los archivos. Compruebe la lista e inténtelo de nuevo.',
    refused: 'Este documento ya se envió o está programado, así que no puede cambiar sus archivos.',
  },
};

export const filesText = inLanguage(english, spanish);

/** Why a file was refused, by code. */
export const filesFailures = { ...attachText.failures, ...filesText.failures };
