import type { PageTexts } from '../page-texts.ts';

export const formViewFrench: PageTexts['formView'] = {
  offer: 'Vous pouvez aussi remplir vos champs sous forme de liste.',
  open: 'Remplir comme un formulaire',
  invite: 'Ce que vous saisissez ici apparaît aussi sur les pages. Lisez le document avant de signer.',
  read: 'Lire tout le document',
  show: 'Afficher dans le document',
  back: 'Retour au formulaire',
  others: 'Rempli par d’autres personnes',
  empty: 'Ce champ est encore vide.',
  tick: 'Cochez cette case.',
  choose: 'Choisissez une option.',
};
