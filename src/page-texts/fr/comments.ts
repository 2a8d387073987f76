import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const commentsFrench: PageTexts['comments'] = {
  link: 'Poser une question à l’expéditeur',
  heading: 'Écrire à l’expéditeur',
  intro: (sender) =>
    html`Posez une question ou écrivez un commentaire. ${sender} le reçoit et peut vous répondre. Il ne fait pas partie du document : vous pouvez toujours le signer ou le refuser ensuite.`,
  label: 'Votre commentaire',
  hint: '2000 caractères au maximum.',
  send: 'Envoyer',
  back: 'Retour',
  sent: 'Envoyé. Vous pouvez fermer cette page ou revenir au document.',
  own: 'Ce que vous avez écrit',
  problems: {
    invalid_comment: 'Écrivez un commentaire de 1 à 2000 caractères, sans caractères de contrôle.',
    too_many_comments:
      'Ce document ne peut plus recevoir de commentaires. Répondez au message avec lequel vous l’avez reçu, ou contactez l’expéditeur.',
    too_often: 'Vous avez envoyé beaucoup de commentaires. Réessayez dans une heure.',
  },
};
