import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const delegationFrench: PageTexts['delegation'] = {
  link: 'Une autre personne doit signer',
  linkApprover: 'Une autre personne doit approuver',
  heading: 'Qui doit signer à votre place ?',
  headingApprover: 'Qui doit approuver à votre place ?',
  intro: (sender) =>
    html`Cette personne reçoit sa propre demande et votre lien cesse de fonctionner. ${sender} voit qui vous avez désigné. Si cette décision ne vous appartient pas, consultez d’abord ${sender}.`,
  name: 'Nom complet',
  email: 'Adresse e-mail',
  phone: 'Numéro de téléphone',
  phoneHint: 'Avec l’indicatif du pays, par exemple +33 1 99 00 12 34.',
  reason: 'Motif',
  reasonHint: 'Facultatif. L’expéditeur le voit.',
  passOn: 'Transmettre',
  back: 'Retour',
  passedOnTitle: 'Demande transmise',
  passedOnText: 'L’autre personne reçoit sa propre demande. Vous n’avez plus rien à faire et pouvez fermer cette page.',
  problems: {
    invalid_name: 'Saisissez un nom complet de 120 caractères au maximum.',
    invalid_email: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
    invalid_phone: 'Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +33 1 99 00 12 34.',
    invalid_reason: 'Saisissez un motif de 1000 caractères au maximum.',
    same_person: 'C’est vous. Indiquez une autre personne.',
  },
};
