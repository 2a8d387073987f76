import type { PageTexts } from '../page-texts.ts';

export const formViewItalian: PageTexts['formView'] = {
  offer: 'Può anche compilare i suoi campi in un elenco.',
  open: 'Compila come modulo',
  invite: 'Ciò che inserisce qui compare anche sulle pagine. Legga il documento prima di firmare.',
  read: 'Leggi tutto il documento',
  show: 'Mostra nel documento',
  back: 'Torna al modulo',
  others: 'Compilato da altri',
  empty: 'Questo campo è ancora vuoto.',
  tick: 'Selezioni questa casella.',
  choose: 'Scelga un’opzione.',
};
