import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const linkFrench: PageTexts['link'] = {
  from: (sender) => html`De ${sender}`,
  lead: (sender) =>
    html`Saisissez votre nom et votre adresse e-mail. Nous vous envoyons un code pour que ${sender} sache que l’adresse est la vôtre. Vous pourrez ensuite lire et signer le document. Aucun compte n’est nécessaire.`,
  name: 'Votre nom complet',
  nameHint: 'Tel qu’il doit figurer dans le document.',
  email: 'Votre adresse e-mail',
  emailHint: 'Le code et un lien vers votre document y sont envoyés.',
  sendCode: 'Envoyer le code',
  personal: 'Chaque personne qui ouvre cette page signe son propre document.',
  codeHeading: 'Saisissez votre code',
  codeSent: (address) => html`Nous avons envoyé un code à 6 chiffres à ${address}.`,
  codeHint: 'Il est valable 10 minutes. Si vous ne voyez pas l’e-mail, regardez dans vos courriers indésirables.',
  code: 'Code de vérification',
  continue: 'Continuer',
  newCode: 'Envoyer un nouveau code',
  otherAddress: 'Utiliser une autre adresse',
  sentAgain: 'Nous avons envoyé un nouveau code. Les précédents ne sont plus valables.',
  noCookie:
    'Votre navigateur n’a pas conservé notre cookie, vous ne pouvez donc pas saisir le code envoyé. Autorisez les cookies pour cette page et demandez un nouveau code.',
  ownTab: 'Ou ouvrez cette page dans son propre onglet',
  closed: {
    off: {
      title: 'Indisponible pour le moment',
      text: (sender) => html`Personne ne peut signer avec ce lien pour l’instant. Adressez-vous à ${sender}.`,
    },
    unavailable: {
      title: 'Indisponible pour le moment',
      text: (sender) => html`Personne ne peut signer avec ce lien pour l’instant. Adressez-vous à ${sender}.`,
    },
    ended: {
      title: 'Ce lien a expiré',
      text: (sender) =>
        html`Le délai pour signer avec ce lien est écoulé. Si vous souhaitez encore signer, adressez-vous à ${sender}. Si vous avez déjà un document, ouvrez-le avec le lien reçu par e-mail.`,
    },
    used_up: {
      title: 'Plus aucune place',
      text: (sender) =>
        html`Le nombre de personnes prévu a déjà utilisé ce lien. Si vous souhaitez signer aussi, adressez-vous à ${sender}. Si vous avez déjà un document, ouvrez-le avec le lien reçu par e-mail.`,
    },
  },
  errors: {
    invalid_name: 'Saisissez votre nom sur une ligne, avec 120 caractères au maximum.',
    invalid_email: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
    invalid_code: 'Ce code est erroné ou n’est plus valable. Après 5 codes erronés, demandez-en un nouveau.',
    already_used: (sender) =>
      html`Une autre personne a été invitée à signer le document de cette adresse. Pour toute question, contactez ${sender}.`,
    too_many: 'Il y a eu trop de tentatives. Attendez un moment et réessayez.',
    code_not_sent: 'Le code n’a pas pu être envoyé. Vérifiez l’adresse ou réessayez plus tard.',
    mail_unavailable: 'Le code ne peut pas être envoyé pour le moment. Réessayez dans quelques minutes.',
  },
};
