import type { PageTexts } from '../page-texts.ts';

export const phoneGerman: PageTexts['phone'] = {
  offer: 'Auf dem Telefon zeichnen',
  codeLabel: 'QR-Code für Ihr Telefon',
  instructions:
    'Scannen Sie diesen Code mit der Kamera Ihres Telefons und zeichnen Sie dort mit dem Finger. Die Zeichnung erscheint dann hier.',
  drawHere: 'Doch hier zeichnen',
  heading: { signature: 'Zeichnen Sie Ihre Unterschrift', initials: 'Zeichnen Sie Ihre Initialen' },
  hint: 'Zeichnen Sie mit dem Finger. Quer gehalten bietet das Telefon mehr Platz.',
  send: 'Diese Zeichnung verwenden',
  sending: 'Ihre Zeichnung wird gesendet.',
  missing: 'Zeichnen Sie zuerst etwas.',
  unavailable: 'Die Zeichenfläche konnte nicht geladen werden. Laden Sie die Seite neu.',
  sentTitle: 'Ihre Zeichnung wurde gesendet',
  sentText:
    'Machen Sie dort weiter, wo Sie das Dokument geöffnet haben. Unterschrieben wird erst, wenn Sie dort Unterschreiben wählen.',
  endedTitle: 'Dieser Code gilt nicht mehr',
  endedText:
    'Lassen Sie sich dort, wo Sie das Dokument geöffnet haben, einen neuen Code zeigen und scannen Sie diesen.',
};
