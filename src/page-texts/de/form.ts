import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const formGerman: PageTexts['form'] = {
  scriptOff: 'JavaScript ist in diesem Browser ausgeschaltet.',
  late: 'Die Bedienelemente dieser Seite wurden nicht geladen. Sie können warten oder ohne sie fortfahren.',
  without: 'Ohne JavaScript fortfahren',
  withScript: 'Seite mit JavaScript verwenden',
  withScriptHint:
    'Mit JavaScript können Sie Ihre Unterschrift auch zeichnen und Felder direkt auf den Seiten ausfüllen.',
  finishWithout: 'Ohne JavaScript beenden',
  problemHeading: 'Es gibt ein Problem',
  errorTitle: 'Fehler:',
  fieldsHeading: 'Felder, die Sie ausfüllen',
  dateHint: 'Jahr, Monat und Tag, zum Beispiel 2026-03-09. Bleibt das Feld leer, wird das heutige Datum eingesetzt.',
  placeSignature: 'Ankreuzen, um Ihre Unterschrift hier einzusetzen.',
  placeInitials: 'Ankreuzen, um Ihre Initialen hier einzusetzen.',
  initialsHint: 'Für die Felder, die Sie ankreuzen. Höchstens 10 Zeichen.',
  placeStamp: 'Ankreuzen, um Ihren Stempel hier einzusetzen.',
  stamp: 'Stempel oder Siegel',
  stampHint: 'Für die Felder, die Sie ankreuzen: PNG, JPEG oder WebP, höchstens 10 MB.',
  stampInvalid:
    'Diese Datei ist als Stempel nicht geeignet. Wählen Sie ein Bild in PNG, JPEG oder WebP mit höchstens 10 MB.',
  stampKept: 'Das Bild wurde empfangen. Wählen Sie eine andere Datei, um es zu ersetzen.',
  save: 'Für später speichern',
  missing: (field) => html`Ausfüllen: ${field}`,
  untick: (field) => html`Ankreuzen: ${field}`,
  choose: (field) => html`Option wählen: ${field}`,
  onlyIf: (field, value) => html`Nur wenn ${field} so ausgefüllt ist: ${value}. Sonst wird es nicht erfasst.`,
  nothingChosen: 'Nichts gewählt',
  invalid: (field) => html`Eingabe prüfen: ${field}`,
  checkResult: (field) => html`Ergebnis prüfen und das Formular noch einmal senden: ${field}`,
  saved: 'Gespeichert. Sie können später mit demselben Link weitermachen.',
  linkNeedsScript: 'Die Anmeldung, zu der der Link führt, benötigt JavaScript.',
  pageAsText: (page) => `Seite ${page} als Text`,
  copyNotReady: 'Das versiegelte PDF wird vorbereitet. Das dauert meist einige Sekunden.',
  reload: 'Seite neu laden',
  tooMany: 'Im Moment kann nichts weiter gesendet werden. Versuchen Sie es später noch einmal.',
  refusedTitle: 'Ihre Eingaben konnten nicht gelesen werden',
  refusedText: 'Es wurde nichts erfasst. Öffnen Sie das Formular noch einmal und senden Sie es von dort.',
  tooLargeTitle: 'Sie haben zu viel auf einmal gesendet',
  tooLargeText:
    'Es wurde nichts erfasst. Gehen Sie mit der Zurück-Taste des Browsers zurück, kürzen Sie die längsten Texte und senden Sie das Formular noch einmal.',
};
