import type { PageTexts } from '../page-texts.ts';

export const formViewGerman: PageTexts['formView'] = {
  offer: 'Sie können Ihre Felder auch als Liste ausfüllen.',
  open: 'Als Formular ausfüllen',
  invite: 'Was Sie hier eingeben, erscheint auch auf den Seiten. Lesen Sie das Dokument, bevor Sie unterschreiben.',
  read: 'Das ganze Dokument lesen',
  show: 'Im Dokument zeigen',
  back: 'Zurück zum Formular',
  others: 'Von anderen ausgefüllt',
  empty: 'Dieses Feld ist noch leer.',
  tick: 'Setzen Sie hier ein Häkchen.',
  choose: 'Wählen Sie eine Option.',
};
