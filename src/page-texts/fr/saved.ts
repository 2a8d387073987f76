import type { savedEnglish } from '../en/saved.ts';

/** Texts of the offer to sign with what the recipient saved, and to save. */
export const savedFrench: typeof savedEnglish = {
  tab: 'Enregistrée',
  signature: 'Utiliser votre signature enregistrée',
  initials: 'Utiliser vos initiales enregistrées',
  hint: 'Vous seul la voyez, car vous êtes connecté. Vous pouvez la modifier dans votre compte.',
  save: 'Enregistrer pour la prochaine fois',
  replaces: 'Elle remplace celle que vous avez enregistrée.',
  saveHint: 'Vous seul pouvez l’utiliser, tant que vous êtes connecté. Vous pouvez la supprimer dans votre compte.',
};
