import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const fileItalian: PageTexts['file'] = {
  pageOf: (number, total) => `Pagina ${number} di ${total}`,
  files: 'File',
  zoom: 'Dimensione',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  fieldTypes: {
    signature: 'Firma',
    initials: 'Sigla',
    stamp: 'Timbro',
    date: 'Data',
    text: 'Testo',
    checkbox: 'Casella',
    number: 'Numero',
    dropdown: 'Elenco',
    radio: 'Opzione',
    upload: 'File',
  },
  onPage: (number) => `pagina ${number}`,
  required: 'obbligatorio',
  optional: 'facoltativo',
  fixed: 'stabilito dal mittente',
  signingDay: 'Data della firma',
  calculated: 'calcolato',
  numberRule: (min, max, decimals) => {
    const kind = decimals === 0 ? 'un numero intero' : 'un numero';
    const from = min === null ? (max === null ? '' : ` non superiore a ${max}`) : ` non inferiore a ${min}`;
    const range = min === null || max === null ? from : ` tra ${min} e ${max}`;
    const places = decimals ? ` con al massimo ${decimals} ${decimals === 1 ? 'decimale' : 'decimali'}` : '';
    return `Inserisca ${kind}${range}${places}. Usi solo cifre e una virgola o un punto decimale, senza punti per le migliaia.`;
  },
  unsignedFile: 'Scarica il PDF non firmato',
  whatIsLeft: 'Che cosa manca',

  upload: 'Carica',
  uploadLabel: 'File immagine',
  uploadHint:
    'Una foto o una scansione su carta bianca: PNG, JPEG o WebP. L’immagine resta su questo dispositivo fino alla firma.',
  signatureDialog: 'La Sua firma',
  placeSignature: 'Inserisci la firma',
  initialsDialog: 'La Sua sigla',
  placeInitials: 'Inserisci la sigla',
  stampDialog: 'Il Suo timbro',
  placeStamp: 'Inserisci il timbro',
  fieldFile: 'File',
  fieldFileHint: 'PDF, PNG o JPEG, al massimo 10 MB. Viene conservato per Lei fino alla firma.',
  done: 'Fine',
  initials: 'Sigla',
  initialsHint: 'Come la scrive, al massimo 10 caratteri.',
  typedInitialsHint: 'Quanto scritto sopra viene inserito come Sua sigla.',
  typedInitialsEmpty: 'Qui comparirà la Sua sigla',
  initialsDrawingArea: 'Area per disegnare la Sua sigla',
  remove: 'Rimuovi',

  handOverHeading: (recipient) => html`Consegni il dispositivo a ${recipient}`,
  handOverText: (recipient) =>
    html`${recipient} firma questo documento di persona, su questo dispositivo. Viene mostrato quando ${recipient} ha iniziato.`,
  handOverBegin: (recipient) =>
    html`Se Lei è ${recipient}, scelga Inizia. Da quel momento ogni azione viene registrata come Sua.`,
  begin: 'Inizia',
  handBack: 'Ora può restituire il dispositivo. Prima scelga Termina, così nulla del documento resta sullo schermo.',
  verifyLink: 'Verificare se un PDF sigillato è autentico e inalterato',

  filledInBy: (name, time) => html`${name} ha firmato in data ${time}:`,
  ticked: 'selezionata',
  notTicked: 'non selezionata',
  chosen: 'scelta',
  drawn: 'a mano',
  picture: 'immagine',

  script: {
    fieldsDone: 'Campi: {done} di {total}',
    nameLeft: 'Manca il Suo nome',
    signatureLeft: 'Manca la Sua firma',
    consentLeft: 'Selezioni la casella per accettare',
    next: 'Avanti',
    ready: 'Pronto per la firma',
    readyApprover: 'Pronto per l’approvazione',
    fieldMissing: 'Resta un campo da compilare: {field}.',
    fieldsMissing: 'Restano {count} campi da compilare. Il prossimo è: {field}.',
    saved: 'Salvato',
    notSaved: 'Non ancora salvato: nessuna connessione',
    pageOf: 'Pagina {number} di {total}',
    pageFailed: 'Non è stato possibile caricare questa pagina.',
    pageWithoutText: 'Questa pagina è un’immagine: non contiene testo da leggere ad alta voce.',
    textFailed: 'Non è stato possibile caricare il testo di questa pagina.',
    placed: 'compilato',
    typed: 'Aveva scritto: {value}',
    unnamed: 'Un numero',
    notYet: 'Sarà calcolato quando sarà compilato: {fields}.',
    leftEmpty: 'Impossibile calcolare, perché è rimasto vuoto: {fields}.',
    division: 'Impossibile calcolare, perché si dividerebbe per zero.',
    tooLarge: 'Impossibile calcolare, perché il risultato è troppo grande.',
    fieldsChanged: 'Campi mostrati: {shown}. Campi nascosti: {hidden}.',
    initialsMissing: 'Inserisca la Sua sigla.',
    stampMissing: 'Scelga un’immagine del Suo timbro.',
    uploadSending: 'Invio del file…',
    uploadReceived: 'Ricevuto: {name}',
  },
};
