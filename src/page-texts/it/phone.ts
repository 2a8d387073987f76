import type { PageTexts } from '../page-texts.ts';

export const phoneItalian: PageTexts['phone'] = {
  offer: 'Disegna sul telefono',
  codeLabel: 'Codice QR per il telefono',
  instructions:
    'Inquadri questo codice con la fotocamera del telefono e disegni lì con il dito. Il disegno apparirà qui.',
  drawHere: 'Disegna qui',
  heading: { signature: 'Disegni la Sua firma', initials: 'Disegni la Sua sigla' },
  hint: 'Disegni con il dito. Ruoti il telefono per avere più spazio.',
  send: 'Usa questo disegno',
  sending: 'Invio del disegno in corso.',
  missing: 'Prima disegni qualcosa.',
  unavailable: 'L’area di disegno non è stata caricata. Ricarichi la pagina.',
  sentTitle: 'Il disegno è stato inviato',
  sentText: 'Continui sullo schermo dove ha aperto il documento. Nulla è firmato finché lì non sceglie Firma.',
  endedTitle: 'Questo codice non è più valido',
  endedText: 'Faccia comparire un nuovo codice sullo schermo dove ha aperto il documento e lo inquadri.',
};
