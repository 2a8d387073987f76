import { inLanguage } from '../language.ts';

const english = {
  title: 'Preview as the signer',
  how: 'This is the signing page this recipient will see. Try it out: nothing is sent or saved.',
  onlyDrafts: 'You can only preview drafts and documents in review.',
  noRecipients: 'This document has no recipients yet. Edit it to add signers.',
  recipient: 'As seen by',
  screen: 'On',
  screens: { phone: 'A phone', desk: 'A computer' },
  step: 'Step',
  first: { code: 'Before: the code by SMS', account: 'Before: signing in', device: 'Before: handing over the device' },
  document: 'The document',
  frame: 'Signing page as seen by {name}',
};

const spanish: typeof english = {
  title: 'Vista previa como firmante',
  how: 'Esta es la página de firma que verá este destinatario. Pruébela: no se envía ni se guarda nada.',
  onlyDrafts: 'Solo puede previsualizar borradores y documentos en revisión.',
  noRecipients: 'Este documento aún no tiene destinatarios. Edítelo para añadir firmantes.',
  recipient: 'Como lo ve',
  screen: 'En',
  screens: { phone: 'Un teléfono', desk: 'Un ordenador' },
  step: 'Paso',
  first: {
    code: 'Antes: el código por SMS',
    account: 'Antes: iniciar sesión',
    device: 'Antes: entregar el dispositivo',
  },
  document: 'El documento',
  frame: 'Página de firma como la ve {name}',
};

export const previewText = inLanguage(english, spanish);
