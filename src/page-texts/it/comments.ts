import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const commentsItalian: PageTexts['comments'] = {
  link: 'Fare una domanda al mittente',
  heading: 'Scrivere al mittente',
  intro: (sender) =>
    html`Faccia una domanda o scriva un commento. ${sender} lo riceve e può risponderLe. Non fa parte del documento: in seguito può ancora firmarlo o rifiutarlo.`,
  label: 'Il Suo commento',
  hint: 'Fino a 2000 caratteri.',
  send: 'Invia',
  back: 'Indietro',
  sent: 'Inviato. Può chiudere questa pagina o tornare al documento.',
  own: 'Che cosa ha scritto',
  problems: {
    invalid_comment: 'Scriva un commento da 1 a 2000 caratteri, senza caratteri di controllo.',
    too_many_comments:
      'Questo documento non può avere altri commenti. Risponda al messaggio con cui lo ha ricevuto o contatti il mittente.',
    too_often: 'Ha inviato molti commenti. Riprovi tra un’ora.',
  },
};
