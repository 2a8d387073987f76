import type { PageTexts } from '../page-texts.ts';

export const phoneFrench: PageTexts['phone'] = {
  offer: 'Dessiner sur le téléphone',
  codeLabel: 'Code QR pour votre téléphone',
  instructions:
    'Scannez ce code avec l’appareil photo de votre téléphone puis dessinez avec le doigt sur le téléphone. Le dessin apparaîtra ici.',
  drawHere: 'Dessiner ici',
  heading: { signature: 'Dessinez votre signature', initials: 'Dessinez votre paraphe' },
  hint: 'Dessinez avec le doigt. Tournez le téléphone pour avoir plus de place.',
  send: 'Utiliser ce dessin',
  sending: 'Votre dessin est en cours d’envoi.',
  missing: 'Dessinez d’abord.',
  unavailable: 'La zone de dessin n’a pas pu être chargée. Rechargez la page.',
  sentTitle: 'Votre dessin a été envoyé',
  sentText:
    'Continuez sur l’écran où vous avez ouvert le document. Rien n’est signé tant que vous n’y choisissez pas Signer.',
  endedTitle: 'Ce code n’est plus valable',
  endedText: 'Affichez un nouveau code sur l’écran où vous avez ouvert le document, puis scannez-le.',
};
