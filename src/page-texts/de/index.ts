import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';
import { commentsGerman } from './comments.ts';
import { delegationGerman } from './delegation.ts';
import { fileGerman } from './file.ts';
import { formGerman } from './form.ts';
import { formViewGerman } from './form-view.ts';
import { linkGerman } from './link.ts';
import { phoneGerman } from './phone.ts';
import { savedGerman } from './saved.ts';

export const german: PageTexts = {
  name: 'Deutsch',
  language: 'Sprache',
  numbers: { hasDecimalComma: true, groupsWithSpaces: false },
  documentTypes: {
    contract: 'Vertrag',
    form: 'Formular',
    letter: 'Brief',
    estimate: 'Kostenvoranschlag',
    change_order: 'Änderungsauftrag',
    invoice: 'Rechnung',
    lien_waiver: 'Pfandrechtsverzicht',
    notice_to_owner: 'Mitteilung an den Eigentümer',
    schedule_of_values: 'Aufstellung der Teilbeträge',
    pay_app: 'Zahlungsantrag',
    coi: 'Versicherungsbestätigung',
    license: 'Lizenz',
    other: 'Dokument',
    w9: 'Formular W-9',
    warranty: 'Garantie',
    completion_certificate: 'Fertigstellungsbescheinigung',
    safety_acknowledgment: 'Sicherheitsbestätigung',
    general: 'Dokument',
    receipt: 'Quittung',
    note: 'Notiz',
    check: 'Scheck',
    notice_of_commencement: 'Baubeginnsanzeige',
    comment_letter: 'Schreiben mit Anmerkungen',
  },

  preview: 'Vorschau.',
  previewMeaning: 'So sieht es der Empfänger. Was Sie hier tun, wird weder gesendet noch gespeichert.',
  testMode: 'Testmodus.',
  testModeMeaning: 'Dieses Dokument wurde im Testmodus gesendet: Dafür werden keine E-Mails und keine SMS verschickt.',
  sentBy: (sender) => html`Gesendet von ${sender}`,
  messageFrom: (sender) => html`Nachricht von ${sender}`,
  recipients: 'Empfänger',
  you: 'Sie',
  details: 'Angaben',
  sentAt: 'Gesendet',
  expiresAt: 'Läuft ab',
  reference: 'Kennung',
  personalLink: (recipient) => html`Dieser Link ist nur für ${recipient} bestimmt. Bitte leiten Sie ihn nicht weiter.`,
  personalLinkOfSomebody: 'Dieser Link ist persönlich. Bitte leiten Sie ihn nicht weiter.',
  sentWith: 'Gesendet mit Countersign',

  recipientKind: { signer: 'Unterzeichner', approver: 'Stimmt zu', cc: 'Erhält eine Kopie' },
  recipientStatus: {
    signer: {
      pending: 'Noch nicht angefragt',
      sent: 'Gesendet',
      viewed: 'Geöffnet',
      signed: 'Unterschrieben',
      declined: 'Abgelehnt',
    },
    approver: {
      pending: 'Noch nicht angefragt',
      sent: 'Gesendet',
      viewed: 'Geöffnet',
      signed: 'Zugestimmt',
      declined: 'Abgelehnt',
    },
    cc: {
      pending: 'Am Ende',
      sent: 'Kopie gesendet',
      viewed: 'Geöffnet',
      signed: 'Kopie gesendet',
      declined: 'Abgelehnt',
    },
  },

  signatureRequested: 'Ihre Unterschrift wird erbeten',
  approvalRequested: 'Ihre Zustimmung wird erbeten',
  start: 'Starten',
  signHeading: 'Dieses Dokument unterschreiben',
  approveHeading: 'Diesem Dokument zustimmen',
  fullName: 'Vollständiger Name',
  fullNameHint: 'Ändern Sie ihn, wenn Sie mit einem anderen Namen unterschreiben.',
  signatureStyle: 'Unterschrift',
  type: 'Tippen',
  draw: 'Zeichnen',
  typedHint: 'Ihr eingegebener Name ist Ihre Unterschrift.',
  typedEmpty: 'Hier erscheint Ihr Name',
  drawingArea: 'Zeichenfläche für Ihre Unterschrift',
  drawHint:
    'Zeichnen Sie mit dem Finger, einem Stift oder der Maus. Wenn Sie nicht zeichnen können, wählen Sie Tippen.',
  clear: 'Löschen',
  signMeaning:
    'Mit Unterschreiben erklären Sie sich damit einverstanden, dieses Dokument elektronisch zu unterschreiben. Ihre elektronische Unterschrift soll Sie so binden wie eine eigenhändige. Ihr Name, die Uhrzeit und Ihre IP-Adresse werden dazu erfasst.',
  approveMeaning:
    'Mit Zustimmen erklären Sie sich mit dem elektronischen Verfahren einverstanden und bestätigen, dass Sie diesem Dokument zustimmen. Ihr Name, die Uhrzeit und Ihre IP-Adresse werden dazu erfasst.',
  signMeaningAsked:
    'Mit Unterschreiben unterschreiben Sie dieses Dokument. Ihre elektronische Unterschrift soll Sie so binden wie eine eigenhändige. Ihr Name, die Uhrzeit und Ihre IP-Adresse werden dazu erfasst.',
  approveMeaningAsked:
    'Mit Zustimmen bestätigen Sie, dass Sie diesem Dokument zustimmen. Ihr Name, die Uhrzeit und Ihre IP-Adresse werden dazu erfasst.',
  sign: 'Unterschreiben',
  approve: 'Zustimmen',
  decline: 'Ablehnen',
  declineHeading: 'Möchten Sie die Unterschrift ablehnen?',
  declineHeadingApprover: 'Möchten Sie die Zustimmung ablehnen?',
  declineMeaning: (sender) =>
    html`Damit ist das Dokument für alle beendet: Niemand kann es mehr unterschreiben. ${sender} sieht Ihren Grund.`,
  reason: 'Grund',
  reasonHint: 'Höchstens 1000 Zeichen. Nur der Absender sieht ihn.',
  declineToSign: 'Endgültig ablehnen',
  cancel: 'Abbrechen',

  waitingHeading: 'Sie sind noch nicht an der Reihe',
  waitingText: (sender) =>
    html`Andere müssen vor Ihnen unterschreiben. Sobald Sie an der Reihe sind, erhalten Sie eine Nachricht von ${sender}. Sie können diese Seite schließen.`,
  codeHeading: 'Bestätigen Sie Ihre Identität',
  codeForDocument: (sender) =>
    html`${sender} hat Ihnen dieses Dokument gesendet. Um es anzusehen, geben Sie den Code ein, den wir an Ihr Telefon senden.`,
  codeForCopy: (sender) =>
    html`Dieses Dokument von ${sender} ist abgeschlossen. Um Ihre Kopie anzusehen, geben Sie den Code ein, den wir an Ihr Telefon senden.`,
  codeGoesTo: (number) =>
    number === null
      ? html`Der Code geht an die Telefonnummer, die der Absender angegeben hat.`
      : html`Der Code geht an die Telefonnummer ${number}.`,
  numberEnding: (digits) => `mit den Endziffern ${digits}`,
  codeShownHere: 'Im Testmodus wird keine SMS gesendet: Der Code wird hier angezeigt.',
  codeWrongNumber: (sender) => html`Wenn das nicht Ihre Nummer ist, bitten Sie ${sender}, sie zu berichtigen.`,
  sendCode: 'Code senden',
  code: 'Bestätigungscode',
  codeHint: 'Sechs Ziffern, 10 Minuten gültig.',
  codeNoCookie:
    'Ihr Browser hat unser Cookie nicht gespeichert, deshalb kann das Dokument hier nicht gezeigt werden. Erlauben Sie Cookies für diese Seite.',
  verify: 'Bestätigen',
  needsAccountHeading: 'Zum Öffnen ist eine Anmeldung nötig',
  needsAccountText: (sender) =>
    html`${sender} verlangt, dass Sie sich mit Ihrer E-Mail-Adresse anmelden, bevor Sie dieses Dokument lesen. Dafür brauchen Sie kein Konto: Ein Link beweist, dass die Adresse Ihnen gehört.`,
  copyNeedsAccountHeading: 'Abgeschlossen: Alle haben unterschrieben',
  copyNeedsAccountText: (sender) =>
    html`${sender} verlangt, dass Sie sich mit Ihrer E-Mail-Adresse anmelden, bevor Sie die fertige Kopie lesen. Dafür brauchen Sie kein Konto: Ein Link beweist, dass die Adresse Ihnen gehört.`,
  linkGoesTo: (address) => html`Der Link geht an ${address}, gilt einmal und führt zu diesem Dokument zurück.`,
  linkShownHere: 'Im Testmodus wird keine E-Mail gesendet: Das Dokument öffnet sich sofort.',
  linkWrongAddress: (sender) => html`Wenn das nicht Ihre Adresse ist, bitten Sie ${sender}, sie zu berichtigen.`,
  linkNowhere: (sender) =>
    html`${sender} hat für Sie keine E-Mail-Adresse angegeben. Bitten Sie um eine neue Anfrage mit Adresse.`,
  sendLink: 'Anmeldelink senden',
  signInInstead: 'Mit Passwort oder Passkey anmelden',
  signedHeading: 'Sie haben dieses Dokument unterschrieben',
  signedText: (time) => html`Ihre Unterschrift wurde am ${time} erfasst.`,
  approvedHeading: 'Sie haben diesem Dokument zugestimmt',
  approvedText: (time) => html`Ihre Zustimmung wurde am ${time} erfasst.`,
  othersNext:
    'Sie müssen nichts weiter tun. Sobald alle unterschrieben haben, können Sie die fertige Kopie auf dieser Seite herunterladen.',
  completedHeading: 'Abgeschlossen: Alle haben unterschrieben',
  completedText: (time) => html`Das Dokument wurde am ${time} abgeschlossen.`,
  copyReadyText:
    'Das versiegelte PDF enthält das Dokument, die Unterschriften und eine Bescheinigung darüber, wer wann was getan hat. Jede spätere Änderung lässt sich feststellen.',
  downloadCopy: 'Versiegeltes PDF herunterladen',
  copyNotReadyText:
    'Das versiegelte PDF wird vorbereitet. Das dauert meist einige Sekunden; dann erscheint hier der Link.',
  copyDelayedText:
    'Das versiegelte PDF braucht länger als sonst, weil die Betreiber dieses Dienstes es prüfen müssen. Öffnen Sie diese Seite später noch einmal.',
  copyErasedText: 'Das versiegelte PDF wurde gelöscht und kann hier nicht mehr heruntergeladen werden.',
  declinedHeading: 'Sie haben die Unterschrift abgelehnt',
  declinedHeadingApprover: 'Sie haben die Zustimmung abgelehnt',
  declinedText: (sender, time) =>
    html`Erfasst am ${time}. ${sender} sieht Ihren Grund. Niemand kann dieses Dokument mehr unterschreiben. Wenn Sie versehentlich abgelehnt haben, wenden Sie sich an ${sender}.`,
  yourReason: 'Ihr Grund',
  declinedByOtherHeading: 'Dieses Dokument wurde abgelehnt',
  declinedByOtherText: (sender, time) =>
    html`Ein Empfänger hat am ${time} abgelehnt, deshalb kann es niemand mehr unterschreiben. Bei Fragen wenden Sie sich an ${sender}.`,
  voidedHeading: 'Dieses Dokument wurde zurückgezogen',
  voidedText: (sender) =>
    html`${sender} hat es zurückgezogen, deshalb kann es nicht mehr unterschrieben werden. Bei Fragen wenden Sie sich an ${sender}.`,
  voidedReason: 'Angegebener Grund',
  expiredHeading: 'Dieses Dokument ist abgelaufen',
  expiredText: (sender, time) =>
    html`Es konnte bis zum ${time} unterschrieben werden. Wenn es noch gebraucht wird, bitten Sie ${sender}, es erneut zu senden.`,
  copyHeading: 'Sie erhalten eine Kopie',
  copyText: 'Sie müssen nichts unterschreiben. Sobald alle unterschrieben haben, erhalten Sie die fertige Kopie.',
  finish: 'Beenden',
  finishHint: 'Wenn andere dieses Gerät verwenden, wählen Sie Beenden: Das leert diese Seite.',
  finishHintInPerson: 'Beenden leert diese Seite für die nächste Person an diesem Gerät.',

  signedAs: (name, time) => html`Unterschrieben als ${name} am ${time}`,

  unknownLinkTitle: 'Dieser Link funktioniert nicht',
  unknownLinkText: 'Vielleicht ist er unvollständig oder wurde durch einen neueren ersetzt.',
  unknownLinkSteps: [
    'Öffnen Sie die neueste Nachricht zu diesem Dokument und verwenden Sie den Link darin.',
    'Wenn Sie den Link kopiert haben, prüfen Sie, ob er vollständig ist: Manche E-Mail-Programme trennen lange Links.',
    'Wenn es immer noch nicht geht, bitten Sie den Absender, das Dokument erneut zu senden.',
  ],
  reassignedLinkTitle: 'Dieser Link funktioniert nicht mehr',
  reassignedLinkText: (sender) =>
    html`Jemand anderes wurde gebeten, das Dokument von ${sender} zu unterschreiben. Deshalb ist dieser Link ungültig.`,
  reassignedLinkSteps: (sender) => [
    html`Wenn Sie eine neuere Nachricht zu diesem Dokument erhalten haben, verwenden Sie den Link darin.`,
    html`Sonst müssen Sie nichts tun. Bei Fragen wenden Sie sich an ${sender}.`,
  ],
  unknownAddressTitle: 'Seite nicht gefunden',
  unknownAddressText:
    'Die Adresse ist vielleicht unvollständig oder falsch geschrieben. Wenn Sie etwas unterschreiben wollten, verwenden Sie den Link in der neuesten Nachricht dazu.',
  startPage: 'Zur Startseite',
  throttledTitle: 'Zu viele Anfragen',
  throttledText:
    'Aus Ihrem Netz kommen gerade zu viele Anfragen. Es ist nichts verloren. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  errorTitle: 'Diese Seite kann gerade nicht angezeigt werden',
  errorText:
    'Der Dienst ist im Moment nicht erreichbar. Was schon erfasst war, ist nicht verloren. Versuchen Sie es in einer Minute noch einmal.',
  tryAgain: 'Erneut versuchen',

  file: fileGerman,
  form: formGerman,
  formView: formViewGerman,
  delegation: delegationGerman,
  comments: commentsGerman,
  saved: savedGerman,
  link: linkGerman,
  phone: phoneGerman,

  script: {
    refusals: {
      preview_only:
        'Dies ist eine Vorschau, deshalb wurde nichts erfasst. Wenn Sie das Dokument senden, unterschreibt der Empfänger hier oder lehnt ab.',
      already_signed: 'Sie haben dieses Dokument schon unterschrieben. Es wurde nichts weiter erfasst.',
      already_declined: 'Sie haben dieses Dokument schon abgelehnt. Es wurde nichts weiter erfasst.',
      document_voided: 'Der Absender hat dieses Dokument zurückgezogen, deshalb wurde nichts erfasst.',
      document_declined: 'Ein anderer Empfänger hat dieses Dokument abgelehnt, deshalb wurde nichts erfasst.',
      document_expired: 'Dieses Dokument ist abgelaufen, deshalb wurde nichts erfasst.',
      document_completed: 'Dieses Dokument ist schon abgeschlossen. Es wurde nichts weiter erfasst.',
      not_your_turn: 'Sie sind noch nicht an der Reihe, deshalb wurde nichts erfasst.',
      link_unknown:
        'Dieser Link funktioniert nicht mehr, deshalb wurde nichts erfasst. Laden Sie die Seite neu, um den Grund zu sehen.',
      page_moved:
        'Diese Seite hat eine neue Adresse, deshalb wurde nichts erfasst. Öffnen Sie sie erneut und ergänzen Sie, was fehlt.',
      invalid_full_name:
        'Dieser Name kann nicht verwendet werden. Geben Sie Ihren vollständigen Namen mit höchstens 120 Zeichen ein.',
      invalid_signature:
        'Ihre Unterschrift ist nicht zu sehen oder nicht zu lesen. Zeichnen Sie noch einmal, oder wählen Sie Tippen.',
      consent_required: 'Kreuzen Sie das Kästchen an, bevor Sie fortfahren.',
      saved_unavailable:
        'Ihre gespeicherte Unterschrift wurde geändert oder entfernt, oder Sie sind abgemeldet. Laden Sie die Seite neu oder erstellen Sie eine neue Unterschrift.',
      invalid_reason: 'Geben Sie einen Grund mit 1 bis 1000 Zeichen ein.',
      fields_missing: 'Ein Pflichtfeld ist leer, deshalb wurde nichts erfasst.',
      file_type_refused: 'Diese Datei ist nicht geeignet. Wählen Sie eine Datei in PDF, PNG oder JPEG.',
      file_too_large: 'Diese Datei ist zu groß. Wählen Sie eine mit höchstens 10 MB.',
      too_many_uploads: 'Sie haben zu viele Dateien gesendet. Versuchen Sie es in einer Stunde noch einmal.',
      invalid_field: 'Der Wert kann nicht verwendet werden. Prüfen Sie ihn und versuchen Sie es erneut.',
      verification_required:
        'Ihre Bestätigung ist abgelaufen, deshalb wurde nichts erfasst. Bestätigen Sie Ihre Identität noch einmal.',
      invalid_code:
        'Dieser Code öffnet das Dokument nicht. Prüfen Sie die neueste Nachricht oder wählen Sie Code senden, um einen neuen zu erhalten.',
      too_many_codes: 'Im Moment können keine Codes mehr gesendet werden.',
      code_not_sent:
        'Der Code konnte nicht gesendet werden. Versuchen Sie es noch einmal; wenn es wieder misslingt, bitten Sie den Absender, die Nummer zu prüfen.',
      too_many_links: 'Im Moment können keine Links mehr gesendet werden.',
      link_not_sent:
        'Der Link konnte nicht gesendet werden. Versuchen Sie es noch einmal; wenn es wieder misslingt, bitten Sie den Absender, die Adresse zu prüfen.',
      temporarily_unavailable:
        'Der Dienst ist gerade nicht erreichbar. Ihre Eingaben sind noch da. Versuchen Sie es noch einmal.',
    },
    connectionFailed:
      'Die Verbindung ist fehlgeschlagen. Ihre Eingaben sind noch da. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    somethingFailed: 'Etwas ist schiefgegangen. Ihre Eingaben sind noch da. Versuchen Sie es noch einmal.',
    recording: 'Wird erfasst …',
    codeSending: 'Code wird gesendet …',
    codeSent: 'Der Code ist unterwegs. Es kann eine Minute dauern, bis er ankommt.',
    codeShown: 'Testmodus: Ihr Code lautet {code}.',
    codeNext: 'In einer Stunde wurden fünf Codes gesendet. Den nächsten können Sie {when} erhalten.',
    codeChecking: 'Code wird geprüft …',
    linkSending: 'Link wird gesendet …',
    linkSent: 'Der Link ist unterwegs. Es kann eine Minute dauern, bis er ankommt. Er gilt 10 Minuten.',
    linkNext: 'In einer Stunde wurden fünf Links gesendet. Den nächsten können Sie {when} erhalten.',
    codeMissing: 'Geben Sie die sechs Ziffern des Codes ein.',
    nameMissing: 'Geben Sie Ihren vollständigen Namen ein.',
    reasonMissing: 'Geben Sie einen Grund ein.',
    drawingMissing: 'Zeichnen Sie Ihre Unterschrift oder wählen Sie Tippen.',
    drawingUnavailable:
      'Die Zeichenfläche konnte nicht geladen werden. Wählen Sie Tippen oder öffnen Sie Zeichnen noch einmal.',
    drawingCleared: 'Zeichnung gelöscht.',
    phoneWaiting: 'Warten auf Ihr Telefon.',
    phoneOpened: 'Ihr Telefon ist bereit. Zeichnen Sie darauf.',
    phoneDrawn: 'Die Zeichnung von Ihrem Telefon ist da.',
    phoneEnded: 'Dieser Code gilt nicht mehr. Lassen Sie sich einen neuen zeigen.',
    uploadMissing: 'Wählen Sie ein Bild oder wählen Sie Tippen.',
    uploadUnreadable: 'Diese Datei konnte nicht als Bild gelesen werden. Wählen Sie eine PNG-, JPEG- oder WebP-Datei.',
    tryAgain: 'Erneut versuchen',
    showStatus: 'Aktuellen Stand anzeigen',
    closedTitle: 'Sie können diese Seite schließen',
    closedText: 'Sie können diese Seite jetzt schließen. Sie zeigt nichts mehr vom Dokument.',
    newSignature: 'Gerade hat jemand anderes unterschrieben. Die Seite zeigt es jetzt.',
    handBackText: 'Bitte geben Sie das Gerät zurück. Es zeigt nichts mehr vom Dokument.',
  },
};
