import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const fileGerman: PageTexts['file'] = {
  pageOf: (number, total) => `Seite ${number} von ${total}`,
  files: 'Dateien',
  zoom: 'Größe',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  fieldTypes: {
    signature: 'Unterschrift',
    initials: 'Initialen',
    stamp: 'Stempel',
    date: 'Datum',
    text: 'Freitext',
    checkbox: 'Kästchen',
    number: 'Zahl',
    dropdown: 'Liste',
    radio: 'Auswahl',
    upload: 'Datei',
  },
  onPage: (number) => `Seite ${number}`,
  required: 'Pflichtfeld',
  optional: 'freiwillig',
  fixed: 'vom Absender festgelegt',
  signingDay: 'Datum der Unterschrift',
  calculated: 'berechnet',
  textRule: (max) => `Geben Sie höchstens ${max} Zeichen ein.`,
  formatRules: {
    email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
    phone: 'Geben Sie eine Telefonnummer mit 5 bis 15 Ziffern ein.',
    digits: 'Geben Sie nur Ziffern ein.',
  },
  patternRule: (example) => `Schreiben Sie es so: „${example}“.`,
  dateRule: 'Geben Sie ein Datum mit einer vierstelligen Jahreszahl ein.',
  numberRule: (min, max, decimals) => {
    const kind = decimals === 0 ? 'eine ganze Zahl' : 'eine Zahl';
    const from = min === null ? (max === null ? '' : ` bis höchstens ${max}`) : ` ab ${min}`;
    const range = min === null || max === null ? from : ` von ${min} bis ${max}`;
    const places = decimals
      ? ` mit höchstens ${decimals} ${decimals === 1 ? 'Nachkommastelle' : 'Nachkommastellen'}`
      : '';
    return `Geben Sie ${kind}${range}${places} ein. Verwenden Sie nur Ziffern und ein Dezimalkomma oder einen Dezimalpunkt, keine Tausenderpunkte.`;
  },
  unsignedFile: 'Nicht unterschriebenes PDF herunterladen',
  whatIsLeft: 'Was noch fehlt',

  upload: 'Hochladen',
  uploadLabel: 'Bilddatei',
  uploadHint:
    'Ein Foto oder Scan auf weißem Papier: PNG, JPEG oder WebP. Das Bild bleibt auf diesem Gerät, bis Sie unterschreiben.',
  signatureDialog: 'Ihre Unterschrift',
  placeSignature: 'Unterschrift einsetzen',
  initialsDialog: 'Ihre Initialen',
  placeInitials: 'Initialen einsetzen',
  stampDialog: 'Ihr Stempel',
  placeStamp: 'Stempel einsetzen',
  fieldFile: 'Datei',
  fieldFileHint: 'PDF, PNG oder JPEG, höchstens 10 MB. Sie wird für Sie aufbewahrt, bis Sie unterschreiben.',
  done: 'Fertig',
  initials: 'Initialen',
  initialsHint: 'So, wie Sie sie schreiben, höchstens 10 Zeichen.',
  typedInitialsHint: 'Was Sie oben eingegeben haben, wird als Ihre Initialen eingesetzt.',
  typedInitialsEmpty: 'Hier erscheinen Ihre Initialen',
  initialsDrawingArea: 'Zeichenfläche für Ihre Initialen',
  remove: 'Entfernen',

  handOverHeading: (recipient) => html`Geben Sie das Gerät an ${recipient}`,
  handOverText: (recipient) =>
    html`${recipient} unterschreibt dieses Dokument persönlich auf diesem Gerät. Es wird angezeigt, sobald ${recipient} begonnen hat.`,
  handOverBegin: (recipient) =>
    html`Wenn Sie ${recipient} sind, wählen Sie Beginnen. Was ab dann geschieht, wird als Ihre Handlung erfasst.`,
  begin: 'Beginnen',
  handBack:
    'Sie können das Gerät jetzt zurückgeben. Wählen Sie vorher Beenden, damit nichts vom Dokument auf dem Bildschirm bleibt.',
  verifyLink: 'Prüfen, ob ein versiegeltes PDF echt und unverändert ist',

  filledInBy: (name, time) => html`${name} hat am ${time} unterschrieben:`,
  ticked: 'angekreuzt',
  notTicked: 'nicht angekreuzt',
  chosen: 'gewählt',
  drawn: 'gezeichnet',
  picture: 'Bild',

  script: {
    fieldsDone: 'Felder: {done} von {total}',
    nameLeft: 'Ihr Name fehlt noch',
    signatureLeft: 'Ihre Unterschrift fehlt noch',
    consentLeft: 'Kreuzen Sie das Kästchen an',
    next: 'Weiter',
    ready: 'Bereit zum Unterschreiben',
    readyApprover: 'Bereit zum Zustimmen',
    fieldMissing: 'Ein Feld ist noch auszufüllen: {field}.',
    fieldsMissing: '{count} Felder sind noch auszufüllen. Das nächste ist: {field}.',
    saved: 'Gespeichert',
    notSaved: 'Noch nicht gespeichert: keine Verbindung',
    pageOf: 'Seite {number} von {total}',
    pageFailed: 'Diese Seite konnte nicht geladen werden.',
    pageWithoutText: 'Diese Seite ist ein Bild: Sie enthält keinen Text, der vorgelesen werden könnte.',
    textFailed: 'Der Text dieser Seite konnte nicht geladen werden.',
    placed: 'ausgefüllt',
    typed: 'Ihre Eingabe war: {value}',
    unnamed: 'Eine Zahl',
    notYet: 'Wird berechnet, sobald dies ausgefüllt ist: {fields}.',
    leftEmpty: 'Kann nicht berechnet werden, weil dies leer blieb: {fields}.',
    division: 'Kann nicht berechnet werden, weil dabei durch 0 geteilt würde.',
    tooLarge: 'Kann nicht berechnet werden, weil das Ergebnis zu groß ist.',
    fieldsChanged: 'Angezeigte Felder: {shown}. Ausgeblendete Felder: {hidden}.',
    initialsMissing: 'Geben Sie Ihre Initialen mit höchstens 10 Zeichen ein.',
    stampMissing: 'Wählen Sie ein Bild Ihres Stempels.',
    uploadSending: 'Die Datei wird gesendet…',
    uploadReceived: 'Empfangen: {name}',
  },
};
