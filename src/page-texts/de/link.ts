import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const linkGerman: PageTexts['link'] = {
  from: (sender) => html`Von ${sender}`,
  lead: (sender) =>
    html`Geben Sie Ihren Namen und Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code, damit ${sender} weiß, dass die Adresse Ihnen gehört. Danach können Sie das Dokument lesen und unterschreiben. Sie brauchen kein Konto.`,
  name: 'Ihr vollständiger Name',
  nameHint: 'So, wie er im Dokument stehen soll.',
  email: 'Ihre E-Mail-Adresse',
  emailHint: 'Dorthin senden wir den Code und einen Link zu Ihrem Dokument.',
  sendCode: 'Code senden',
  personal: 'Jede Person, die diese Seite öffnet, unterschreibt ein eigenes Dokument.',
  codeHeading: 'Geben Sie Ihren Code ein',
  codeSent: (address) => html`Wir haben einen 6-stelligen Code an ${address} gesendet.`,
  codeHint: 'Er gilt 10 Minuten. Wenn Sie die E-Mail nicht sehen, schauen Sie in Ihren Spam-Ordner.',
  code: 'Bestätigungscode',
  continue: 'Weiter',
  newCode: 'Neuen Code senden',
  otherAddress: 'Andere Adresse verwenden',
  sentAgain: 'Wir haben einen neuen Code gesendet. Frühere gelten nicht mehr.',
  noCookie:
    'Ihr Browser hat unser Cookie nicht gespeichert, deshalb können Sie den gesendeten Code nicht eingeben. Erlauben Sie Cookies für diese Seite und fordern Sie einen neuen Code an.',
  ownTab: 'Oder öffnen Sie diese Seite in einem eigenen Tab',
  closed: {
    off: {
      title: 'Zurzeit nicht verfügbar',
      text: (sender) => html`Mit diesem Link kann jetzt niemand unterschreiben. Bitte wenden Sie sich an ${sender}.`,
    },
    unavailable: {
      title: 'Zurzeit nicht verfügbar',
      text: (sender) => html`Mit diesem Link kann jetzt niemand unterschreiben. Bitte wenden Sie sich an ${sender}.`,
    },
    ended: {
      title: 'Dieser Link ist abgelaufen',
      text: (sender) =>
        html`Die Frist, um mit diesem Link zu unterschreiben, ist vorbei. Wenn Sie noch unterschreiben möchten, wenden Sie sich an ${sender}. Wenn Sie schon ein Dokument haben, öffnen Sie es mit dem Link in Ihrer E-Mail.`,
    },
    used_up: {
      title: 'Keine Plätze mehr frei',
      text: (sender) =>
        html`Die vorgesehene Zahl von Personen hat diesen Link schon verwendet. Wenn Sie auch unterschreiben möchten, wenden Sie sich an ${sender}. Wenn Sie schon ein Dokument haben, öffnen Sie es mit dem Link in Ihrer E-Mail.`,
    },
  },
  errors: {
    invalid_name: 'Geben Sie Ihren Namen in einer Zeile mit höchstens 120 Zeichen ein.',
    invalid_email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
    invalid_code: 'Dieser Code ist falsch oder gilt nicht mehr. Fordern Sie nach 5 falschen Codes einen neuen an.',
    already_used: (sender) =>
      html`Jemand anderes wurde gebeten, das Dokument für diese Adresse zu unterschreiben. Bei Fragen wenden Sie sich an ${sender}.`,
    too_many: 'Es gab zu viele Versuche. Warten Sie eine Weile und versuchen Sie es noch einmal.',
    code_not_sent: 'Der Code konnte nicht gesendet werden. Prüfen Sie die Adresse oder versuchen Sie es später.',
    mail_unavailable: 'Der Code kann im Moment nicht gesendet werden. Versuchen Sie es in einigen Minuten noch einmal.',
  },
};
