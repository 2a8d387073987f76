import { type Html, html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const fileSpanish: PageTexts['file'] = {
  pageOf: (number: number, total: number) => `Página ${number} de ${total}`,
  files: 'Archivos',
  zoom: 'Tamaño',
  zoomIn: 'Ampliar',
  zoomOut: 'Reducir',
  fieldTypes: {
    signature: 'Firma',
    initials: 'Iniciales',
    stamp: 'Sello',
    date: 'Fecha',
    text: 'Texto',
    checkbox: 'Casilla',
    number: 'Número',
    dropdown: 'Lista',
    radio: 'Opción',
    upload: 'Archivo',
  },
  onPage: (number: number) => `página ${number}`,
  required: 'obligatorio',
  optional: 'opcional',
  fixed: 'fijado por el remitente',
  signingDay: 'Fecha de firma',
  calculated: 'calculado',
  textRule: (max: number) => `Escriba ${max} caracteres como máximo.`,
  formatRules: {
    email: 'Escriba un correo electrónico, por ejemplo ada@example.com.',
    phone: 'Escriba un número de teléfono de 5 a 15 cifras.',
    digits: 'Escriba solo cifras.',
  },
  patternRule: (example: string) => `Escríbalo así: «${example}».`,
  dateRule: 'Escriba una fecha con un año de cuatro cifras.',
  numberRule: (min: string | null, max: string | null, decimals: number | null) => {
    const kind = decimals === 0 ? 'un número entero' : 'un número';
    const from = min === null ? (max === null ? '' : ` de ${max} como máximo`) : ` de ${min} como mínimo`;
    const range = min === null || max === null ? from : ` entre ${min} y ${max}`;
    const places = decimals ? ` con ${decimals} ${decimals === 1 ? 'decimal' : 'decimales'} como máximo` : '';
    return `Escriba ${kind}${range}${places}. Use solo cifras y una coma o un punto decimal.`;
  },
  unsignedFile: 'Descargar el PDF sin firmar',
  whatIsLeft: 'Lo que falta',

  upload: 'Subir',
  uploadLabel: 'Archivo de imagen',
  uploadHint:
    'Una foto o un escaneo sobre papel blanco: PNG, JPEG o WebP. No sale de este dispositivo hasta que usted firma.',
  signatureDialog: 'Su firma',
  placeSignature: 'Colocar la firma',
  initialsDialog: 'Sus iniciales',
  placeInitials: 'Colocar las iniciales',
  stampDialog: 'Su sello',
  placeStamp: 'Colocar el sello',
  fieldFile: 'Archivo',
  fieldFileHint: 'PDF, PNG o JPEG, hasta 10 MB. Se guarda para usted hasta que firme.',
  done: 'Listo',
  initials: 'Iniciales',
  initialsHint: 'Tal como las escribe, hasta 10 caracteres.',
  typedInitialsHint: 'Lo que escribió arriba se coloca como sus iniciales.',
  typedInitialsEmpty: 'Aquí aparecerán sus iniciales',
  initialsDrawingArea: 'Espacio para dibujar sus iniciales',
  remove: 'Quitar',

  handOverHeading: (recipient: Html) => html`Entregue el dispositivo a ${recipient}`,
  handOverText: (recipient: Html) =>
    html`${recipient} firma este documento en persona, en este dispositivo. Se muestra cuando ${recipient} haya comenzado.`,
  handOverBegin: (recipient: Html) =>
    html`Si usted es ${recipient}, elija Empezar. Lo que se haga a partir de ese momento se registra como hecho por usted.`,
  begin: 'Empezar',
  handBack:
    'Ya puede devolver el dispositivo. Elija antes Terminar, para que no quede nada del documento en la pantalla.',
  verifyLink: 'Comprobar si un PDF sellado es auténtico y no se ha modificado',

  filledInBy: (name: Html, time: Html) => html`${name} firmó el ${time}:`,
  ticked: 'marcada',
  notTicked: 'sin marcar',
  chosen: 'elegida',
  drawn: 'dibujado',
  picture: 'imagen',

  script: {
    fieldsDone: '{done} de {total} campos',
    nameLeft: 'Falta su nombre',
    signatureLeft: 'Falta su firma',
    consentLeft: 'Marque la casilla para aceptar',
    next: 'Siguiente',
    ready: 'Listo para firmar',
    readyApprover: 'Listo para aprobar',
    fieldMissing: 'Falta rellenar un campo: {field}.',
    fieldsMissing: 'Faltan {count} campos por rellenar. El siguiente es: {field}.',
    saved: 'Guardado',
    notSaved: 'Sin guardar todavía: no hay conexión',
    pageOf: 'Página {number} de {total}',
    pageFailed: 'No se pudo cargar esta página.',
    pageWithoutText: 'Esta página es una imagen: no contiene texto que se pueda leer en voz alta.',
    textFailed: 'No se pudo cargar el texto de esta página.',
    placed: 'rellenado',
    typed: 'Usted escribió: {value}',
    unnamed: 'Un número',
    notYet: 'Se calculará cuando se rellene: {fields}.',
    leftEmpty: 'No se puede calcular, porque quedó vacío: {fields}.',
    division: 'No se puede calcular, porque se dividiría entre cero.',
    tooLarge: 'No se puede calcular, porque el resultado es demasiado grande.',
    fieldsChanged: 'Campos mostrados: {shown}. Campos ocultos: {hidden}.',
    initialsMissing: 'Escriba sus iniciales, con 10 caracteres como máximo.',
    stampMissing: 'Elija una imagen de su sello.',
    uploadSending: 'Enviando el archivo…',
    uploadReceived: 'Recibido: {name}',
  },
};
