import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const commentsGerman: PageTexts['comments'] = {
  link: 'Den Absender etwas fragen',
  heading: 'An den Absender schreiben',
  intro: (sender) =>
    html`Stellen Sie eine Frage oder schreiben Sie einen Kommentar. ${sender} erhält ihn und kann Ihnen antworten. Er gehört nicht zum Dokument: Sie können es danach immer noch unterschreiben oder ablehnen.`,
  label: 'Ihr Kommentar',
  hint: 'Bis zu 2000 Zeichen.',
  send: 'Senden',
  back: 'Zurück',
  sent: 'Gesendet. Sie können diese Seite schließen oder zum Dokument zurückkehren.',
  own: 'Was Sie geschrieben haben',
  problems: {
    invalid_comment: 'Schreiben Sie einen Kommentar mit 1 bis 2000 Zeichen, ohne Steuerzeichen.',
    too_many_comments:
      'Zu diesem Dokument sind keine weiteren Kommentare möglich. Antworten Sie auf die Nachricht, mit der Sie es erhalten haben, oder wenden Sie sich an den Absender.',
    too_often: 'Sie haben viele Kommentare gesendet. Versuchen Sie es in einer Stunde noch einmal.',
  },
};
