import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const delegationItalian: PageTexts['delegation'] = {
  link: 'Deve firmare un’altra persona',
  linkApprover: 'Deve approvare un’altra persona',
  heading: 'Chi deve firmare al Suo posto?',
  headingApprover: 'Chi deve approvare al Suo posto?',
  intro: (sender) =>
    html`La persona riceve una richiesta propria e il Suo link smette di funzionare. ${sender} vede chi ha indicato. Se la decisione non spetta a Lei, chieda prima a ${sender}.`,
  name: 'Nome e cognome',
  email: 'Indirizzo e-mail',
  phone: 'Numero di telefono',
  phoneHint: 'Con il prefisso internazionale, per esempio +39 06 1234 5678.',
  reason: 'Motivo',
  reasonHint: 'Facoltativo. Il mittente lo vede.',
  passOn: 'Inoltra',
  back: 'Indietro',
  passedOnTitle: 'Richiesta inoltrata',
  passedOnText: 'L’altra persona riceve una richiesta propria. Lei non deve fare altro e può chiudere questa pagina.',
  problems: {
    invalid_name: 'Inserisca nome e cognome, al massimo 120 caratteri.',
    invalid_email: 'Inserisca un indirizzo e-mail, per esempio ada@example.com.',
    invalid_phone: 'Inserisca un numero di telefono con il prefisso internazionale, per esempio +39 06 1234 5678.',
    invalid_reason: 'Inserisca un motivo di al massimo 1000 caratteri.',
    same_person: 'È Lei. Indichi un’altra persona.',
  },
};
