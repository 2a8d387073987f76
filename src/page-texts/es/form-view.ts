import type { PageTexts } from '../page-texts.ts';

export const formViewSpanish: PageTexts['formView'] = {
  offer: 'También puede rellenar sus campos en una lista.',
  open: 'Rellenar como formulario',
  invite: 'Lo que introduzca aquí aparece también en las páginas. Lea el documento antes de firmar.',
  read: 'Leer todo el documento',
  show: 'Mostrar en el documento',
  back: 'Volver al formulario',
  others: 'Rellenado por otras personas',
  empty: 'Este campo aún está vacío.',
  tick: 'Marque esta casilla.',
  choose: 'Elija una opción.',
};
