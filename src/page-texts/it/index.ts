import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';
import { commentsItalian } from './comments.ts';
import { delegationItalian } from './delegation.ts';
import { fileItalian } from './file.ts';
import { formItalian } from './form.ts';
import { formViewItalian } from './form-view.ts';
import { linkItalian } from './link.ts';
import { phoneItalian } from './phone.ts';
import { savedItalian } from './saved.ts';

export const italian: PageTexts = {
  name: 'Italiano',
  language: 'Lingua',
  numbers: { hasDecimalComma: true, groupsWithSpaces: false },
  documentTypes: {
    contract: 'Contratto',
    form: 'Modulo',
    letter: 'Lettera',
    estimate: 'Preventivo',
    change_order: 'Ordine di variante',
    invoice: 'Fattura',
    lien_waiver: 'Rinuncia al privilegio',
    notice_to_owner: 'Avviso al proprietario',
    schedule_of_values: 'Ripartizione dei valori',
    pay_app: 'Richiesta di pagamento',
    coi: 'Certificato di assicurazione',
    license: 'Licenza',
    other: 'Documento',
    w9: 'Modulo W-9',
    warranty: 'Garanzia',
    completion_certificate: 'Certificato di ultimazione',
    safety_acknowledgment: 'Presa d’atto sulla sicurezza',
    general: 'Documento',
    receipt: 'Ricevuta',
    note: 'Nota',
    check: 'Assegno',
    notice_of_commencement: 'Avviso di inizio lavori',
    comment_letter: 'Lettera di osservazioni',
  },

  preview: 'Anteprima.',
  previewMeaning: 'È ciò che vedrà il destinatario. Nulla di quanto fa qui viene inviato o salvato.',
  testMode: 'Modalità di prova.',
  testModeMeaning: 'Questo documento è stato inviato in modalità di prova: non parte alcuna e-mail né alcun SMS.',
  sentBy: (sender) => html`Inviato da ${sender}`,
  messageFrom: (sender) => html`Messaggio da ${sender}`,
  recipients: 'Destinatari',
  you: 'Lei',
  details: 'Dati',
  sentAt: 'Inviato',
  expiresAt: 'Scade',
  reference: 'Riferimento',
  personalLink: (recipient) => html`Questo link è destinato solo a ${recipient}. La preghiamo di non inoltrarlo.`,
  personalLinkOfSomebody: 'Questo link è personale. La preghiamo di non inoltrarlo.',
  sentWith: 'Inviato con Countersign',

  recipientKind: { signer: 'Firmatario', approver: 'Approvatore', cc: 'Riceve una copia' },
  recipientStatus: {
    signer: {
      pending: 'Non ancora richiesto',
      sent: 'Inviato',
      viewed: 'Aperto',
      signed: 'Firmato',
      declined: 'Rifiutato',
    },
    approver: {
      pending: 'Non ancora richiesto',
      sent: 'Inviato',
      viewed: 'Aperto',
      signed: 'Approvato',
      declined: 'Rifiutato',
    },
    cc: {
      pending: 'Alla fine',
      sent: 'Copia inviata',
      viewed: 'Aperto',
      signed: 'Copia inviata',
      declined: 'Rifiutato',
    },
  },

  signatureRequested: 'È richiesta la Sua firma',
  approvalRequested: 'È richiesta la Sua approvazione',
  start: 'Inizia',
  signHeading: 'Firma di questo documento',
  approveHeading: 'Approvazione di questo documento',
  fullName: 'Nome e cognome',
  fullNameHint: 'Lo modifichi se firma con un altro nome.',
  signatureStyle: 'Firma',
  type: 'Scrivi',
  draw: 'Disegna',
  typedHint: 'Il nome scritto è la Sua firma.',
  typedEmpty: 'Qui comparirà il Suo nome',
  drawingArea: 'Area per disegnare la Sua firma',
  drawHint: 'Disegni con il dito, una penna o il mouse. Se non può disegnare, scelga Scrivi.',
  clear: 'Cancella',
  signMeaning:
    'Scegliendo Firma, Lei accetta di firmare questo documento elettronicamente. La Sua firma elettronica è destinata a vincolarLa come una firma autografa. Con essa vengono registrati il Suo nome, l’ora e il Suo indirizzo IP.',
  approveMeaning:
    'Scegliendo Approva, Lei accetta di farlo elettronicamente e conferma di approvare questo documento. Vengono registrati il Suo nome, l’ora e il Suo indirizzo IP.',
  signMeaningAsked:
    'Scegliendo Firma, Lei firma questo documento. La Sua firma elettronica è destinata a vincolarLa come una firma autografa. Con essa vengono registrati il Suo nome, l’ora e il Suo indirizzo IP.',
  approveMeaningAsked:
    'Scegliendo Approva, Lei conferma di approvare questo documento. Vengono registrati il Suo nome, l’ora e il Suo indirizzo IP.',
  sign: 'Firma',
  approve: 'Approva',
  decline: 'Rifiuta',
  declineHeading: 'Vuole rifiutare di firmare questo documento?',
  declineHeadingApprover: 'Vuole rifiutare di approvare questo documento?',
  declineMeaning: (sender) =>
    html`Il documento termina per tutti: nessuno potrà più firmarlo. ${sender} vedrà il Suo motivo.`,
  reason: 'Motivo',
  reasonHint: 'Al massimo 1000 caratteri. Lo vede solo il mittente.',
  declineToSign: 'Conferma il rifiuto',
  cancel: 'Annulla',

  waitingHeading: 'Non è ancora il Suo turno',
  waitingText: (sender) =>
    html`Prima di Lei devono firmare altre persone. Quando sarà il Suo turno riceverà un messaggio da ${sender}. Può chiudere questa pagina.`,
  codeHeading: 'Confermi la Sua identità',
  codeForDocument: (sender) =>
    html`${sender} Le ha inviato questo documento. Per vederlo, inserisca il codice che inviamo al Suo telefono.`,
  codeForCopy: (sender) =>
    html`Questo documento di ${sender} è completo. Per vedere la Sua copia, inserisca il codice che inviamo al Suo telefono.`,
  codeGoesTo: (number) =>
    number === null
      ? html`Il codice viene inviato al numero di telefono indicato dal mittente.`
      : html`Il codice viene inviato al numero di telefono ${number}.`,
  numberEnding: (digits) => `che termina con ${digits}`,
  codeShownHere: 'In modalità di prova non viene inviato alcun SMS: il codice compare qui.',
  codeWrongNumber: (sender) => html`Se non è il Suo numero, chieda a ${sender} di correggerlo.`,
  sendCode: 'Invia codice',
  code: 'Codice di verifica',
  codeHint: 'Sei cifre, valide per 10 minuti.',
  codeNoCookie:
    'Il browser non ha conservato il nostro cookie, quindi il documento non può essere mostrato qui. Consenta i cookie per questa pagina.',
  verify: 'Verifica',
  needsAccountHeading: 'Per aprire il documento serve l’accesso',
  needsAccountText: (sender) =>
    html`${sender} chiede che Lei acceda con il Suo indirizzo e-mail prima di leggere il documento. Non serve un account: un link dimostra che l’indirizzo è Suo.`,
  copyNeedsAccountHeading: 'Completato: hanno firmato tutti',
  copyNeedsAccountText: (sender) =>
    html`${sender} chiede che Lei acceda con il Suo indirizzo e-mail prima di leggere la copia completa. Non serve un account: un link dimostra che l’indirizzo è Suo.`,
  linkGoesTo: (address) =>
    html`Il link viene inviato a ${address}, funziona una sola volta e riporta a questo documento.`,
  linkShownHere: 'In modalità di prova non viene inviata alcuna e-mail: il documento si apre subito.',
  linkWrongAddress: (sender) => html`Se non è il Suo indirizzo, chieda a ${sender} di correggerlo.`,
  linkNowhere: (sender) =>
    html`${sender} non ha indicato un Suo indirizzo e-mail. Chieda una nuova richiesta che ne contenga uno.`,
  sendLink: 'Invia link di accesso',
  signInInstead: 'Accedi con password o passkey',
  signedHeading: 'Ha firmato questo documento',
  signedText: (time) => html`La Sua firma è stata registrata in data ${time}.`,
  approvedHeading: 'Ha approvato questo documento',
  approvedText: (time) => html`La Sua approvazione è stata registrata in data ${time}.`,
  othersNext: 'Non deve fare altro. Quando avranno firmato tutti, potrà scaricare la copia completa da questa pagina.',
  completedHeading: 'Completato: hanno firmato tutti',
  completedText: (time) => html`Il documento è stato completato in data ${time}.`,
  copyReadyText:
    'Il PDF sigillato contiene il documento, le firme e un certificato di chi ha fatto che cosa e quando. Ogni modifica successiva può essere rilevata.',
  downloadCopy: 'Scarica il PDF sigillato',
  copyNotReadyText: 'Il PDF sigillato è in preparazione. Di solito bastano pochi secondi; poi il link compare qui.',
  copyDelayedText:
    'Il PDF sigillato richiede più tempo del solito, perché i gestori di questo servizio devono esaminarlo. Riapra questa pagina più tardi.',
  copyErasedText: 'Il PDF sigillato è stato cancellato e non si può più scaricare qui.',
  declinedHeading: 'Ha rifiutato di firmare',
  declinedHeadingApprover: 'Ha rifiutato di approvare',
  declinedText: (sender, time) =>
    html`Registrato in data ${time}. ${sender} vede il Suo motivo. Nessuno può più firmare questo documento. Se ha rifiutato per errore, contatti ${sender}.`,
  yourReason: 'Il Suo motivo',
  declinedByOtherHeading: 'Questo documento è stato rifiutato',
  declinedByOtherText: (sender, time) =>
    html`Un destinatario lo ha rifiutato in data ${time}, quindi nessuno può più firmarlo. Per domande, contatti ${sender}.`,
  voidedHeading: 'Questo documento è stato annullato',
  voidedText: (sender) =>
    html`${sender} lo ha annullato, quindi non può più essere firmato. Per domande, contatti ${sender}.`,
  voidedReason: 'Motivo indicato',
  expiredHeading: 'Questo documento è scaduto',
  expiredText: (sender, time) =>
    html`Il termine per la firma era: ${time}. Se serve ancora, chieda a ${sender} di inviarlo di nuovo.`,
  copyHeading: 'Riceverà una copia',
  copyText: 'Non deve firmare nulla. Quando avranno firmato tutti, riceverà la copia completa.',
  finish: 'Termina',
  finishHint: 'Se altri usano questo dispositivo, scelga Termina: la pagina viene svuotata.',
  finishHintInPerson: 'Termina svuota questa pagina per la prossima persona su questo dispositivo.',

  signedAs: (name, time) => html`Firmato come ${name} in data ${time}`,

  unknownLinkTitle: 'Questo link non funziona',
  unknownLinkText: 'Potrebbe essere incompleto, oppure sostituito da uno più recente.',
  unknownLinkSteps: [
    'Apra il messaggio più recente su questo documento e usi il link che contiene.',
    'Se ha copiato il link, controlli che sia completo: alcuni programmi di posta spezzano i link lunghi.',
    'Se ancora non funziona, chieda al mittente di inviare di nuovo il documento.',
  ],
  reassignedLinkTitle: 'Questo link non funziona più',
  reassignedLinkText: (sender) =>
    html`A un’altra persona è stato chiesto di firmare il documento di ${sender}, quindi questo link non è più valido.`,
  reassignedLinkSteps: (sender) => [
    html`Se ha ricevuto un messaggio più recente su questo documento, usi il link che contiene.`,
    html`Altrimenti non deve fare nulla. Per domande, contatti ${sender}.`,
  ],
  unknownAddressTitle: 'Pagina non trovata',
  unknownAddressText:
    'L’indirizzo potrebbe essere incompleto o errato. Se voleva firmare qualcosa, usi il link del messaggio più recente.',
  startPage: 'Vai alla pagina iniziale',
  throttledTitle: 'Troppe richieste',
  throttledText:
    'In questo momento arrivano troppe richieste dalla Sua rete. Nulla è andato perso. Attenda un minuto e riprovi.',
  errorTitle: 'Al momento questa pagina non può essere mostrata',
  errorText:
    'Il servizio non è raggiungibile in questo momento. Nulla di quanto già registrato è andato perso. Riprovi tra un minuto.',
  tryAgain: 'Riprova',

  file: fileItalian,
  form: formItalian,
  formView: formViewItalian,
  delegation: delegationItalian,
  comments: commentsItalian,
  saved: savedItalian,
  link: linkItalian,
  phone: phoneItalian,

  script: {
    refusals: {
      preview_only:
        'Questa è un’anteprima, quindi non è stato registrato nulla. Quando invierà il documento, il destinatario potrà firmarlo o rifiutarlo qui.',
      already_signed: 'Ha già firmato questo documento. Non è stato registrato altro.',
      already_declined: 'Ha già rifiutato questo documento. Non è stato registrato altro.',
      document_voided: 'Il mittente ha annullato questo documento, quindi non è stato registrato nulla.',
      document_declined: 'Un altro destinatario ha rifiutato questo documento, quindi non è stato registrato nulla.',
      document_expired: 'Questo documento è scaduto, quindi non è stato registrato nulla.',
      document_completed: 'Questo documento è già completato. Non è stato registrato altro.',
      not_your_turn: 'Non è ancora il Suo turno, quindi non è stato registrato nulla.',
      link_unknown:
        'Questo link non funziona più, quindi non è stato registrato nulla. Ricarichi la pagina per vedere il motivo.',
      page_moved:
        'Questa pagina ha un nuovo indirizzo, quindi non è stato registrato nulla. La riapra e inserisca ciò che manca.',
      invalid_full_name: 'Questo nome non può essere usato. Inserisca nome e cognome, al massimo 120 caratteri.',
      invalid_signature: 'La firma non si vede o non si può leggere. La disegni di nuovo, oppure scelga Scrivi.',
      consent_required: 'Selezioni la casella per accettare prima di continuare.',
      saved_unavailable:
        'La sua firma salvata è stata cambiata o rimossa, o la sessione è terminata. Ricarichi la pagina o crei una nuova firma.',
      invalid_reason: 'Inserisca un motivo da 1 a 1000 caratteri.',
      fields_missing: 'Un campo obbligatorio è vuoto, quindi non è stato registrato nulla.',
      file_type_refused: 'Questo file non può essere usato. Scelga un file PDF, PNG o JPEG.',
      file_too_large: 'Questo file è troppo grande. Ne scelga uno di al massimo 10 MB.',
      too_many_uploads: 'Ha inviato troppi file. Riprovi tra un’ora.',
      invalid_field: 'Il valore non può essere usato. Lo controlli e riprovi.',
      verification_required:
        'La verifica è scaduta, quindi non è stato registrato nulla. Confermi di nuovo la Sua identità.',
      invalid_code:
        'Questo codice non apre il documento. Controlli il messaggio più recente o scelga Invia codice per riceverne uno nuovo.',
      too_many_codes: 'Al momento non è possibile inviare altri codici.',
      code_not_sent:
        'Non è stato possibile inviare il codice. Riprovi; se non riesce ancora, chieda al mittente di controllare il numero.',
      too_many_links: 'Al momento non è possibile inviare altri link.',
      link_not_sent:
        'Non è stato possibile inviare il link. Riprovi; se non riesce ancora, chieda al mittente di controllare l’indirizzo.',
      temporarily_unavailable:
        'Il servizio non è raggiungibile in questo momento. Quanto inserito è ancora qui. Riprovi.',
    },
    connectionFailed:
      'La connessione non è riuscita. Quanto inserito è ancora qui. Controlli la connessione e riprovi.',
    somethingFailed: 'Si è verificato un problema. Quanto inserito è ancora qui. Riprovi.',
    recording: 'Registrazione in corso…',
    codeSending: 'Invio del codice…',
    codeSent: 'Il codice è in arrivo. Può richiedere un minuto.',
    codeShown: 'Modalità di prova: il Suo codice è {code}.',
    codeNext: 'In un’ora sono stati inviati cinque codici. Potrà ricevere il prossimo {when}.',
    codeChecking: 'Verifica del codice…',
    linkSending: 'Invio del link…',
    linkSent: 'Il link è in arrivo. Può richiedere un minuto e funziona per 10 minuti.',
    linkNext: 'In un’ora sono stati inviati cinque link. Potrà ricevere il prossimo {when}.',
    codeMissing: 'Inserisca le sei cifre del codice.',
    nameMissing: 'Inserisca nome e cognome.',
    reasonMissing: 'Inserisca un motivo.',
    drawingMissing: 'Disegni la Sua firma o scelga Scrivi.',
    drawingUnavailable: 'Non è stato possibile caricare l’area di disegno. Scelga Scrivi o riapra Disegna.',
    drawingCleared: 'Disegno cancellato.',
    phoneWaiting: 'In attesa del telefono.',
    phoneOpened: 'Il telefono è pronto. Disegni lì.',
    phoneDrawn: 'Il disegno del telefono è arrivato.',
    phoneEnded: 'Questo codice non è più valido. Ne faccia comparire uno nuovo.',
    uploadMissing: 'Scelga un’immagine o scelga Scrivi.',
    uploadUnreadable: 'Non è stato possibile leggere questo file come immagine. Scelga un file PNG, JPEG o WebP.',
    tryAgain: 'Riprova',
    showStatus: 'Mostra lo stato attuale',
    closedTitle: 'Può chiudere questa pagina',
    closedText: 'Ora può chiudere questa pagina. Non mostra più nulla del documento.',
    newSignature: 'Un’altra persona ha appena firmato. Ora la pagina lo mostra.',
    handBackText: 'La preghiamo di restituire il dispositivo. Non mostra più nulla del documento.',
  },
};
