import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const delegationGerman: PageTexts['delegation'] = {
  link: 'Jemand anderes soll unterschreiben',
  linkApprover: 'Jemand anderes soll zustimmen',
  heading: 'Wer soll an Ihrer Stelle unterschreiben?',
  headingApprover: 'Wer soll an Ihrer Stelle zustimmen?',
  intro: (sender) =>
    html`Die Person erhält eine eigene Anfrage, und Ihr Link wird ungültig. ${sender} sieht, wen Sie angegeben haben. Wenn Sie das nicht selbst entscheiden dürfen, fragen Sie vorher bei ${sender} nach.`,
  name: 'Vollständiger Name',
  email: 'E-Mail-Adresse',
  phone: 'Telefonnummer',
  phoneHint: 'Mit Ländervorwahl, zum Beispiel +49 30 23125 000.',
  reason: 'Grund',
  reasonHint: 'Freiwillig. Der Absender sieht ihn.',
  passOn: 'Weitergeben',
  back: 'Zurück',
  passedOnTitle: 'Weitergegeben',
  passedOnText:
    'Die andere Person erhält eine eigene Anfrage. Sie müssen nichts weiter tun und können diese Seite schließen.',
  problems: {
    invalid_name: 'Geben Sie einen vollständigen Namen mit höchstens 120 Zeichen ein.',
    invalid_email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
    invalid_phone: 'Geben Sie eine Telefonnummer mit Ländervorwahl ein, zum Beispiel +49 30 23125 000.',
    invalid_reason: 'Geben Sie einen Grund mit höchstens 1000 Zeichen ein.',
    same_person: 'Das sind Sie selbst. Geben Sie jemand anderen an.',
  },
};
