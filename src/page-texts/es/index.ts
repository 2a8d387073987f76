import { documentTypeNames } from '../../document-types.ts';
import { type Html, html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';
import { commentsSpanish } from './comments.ts';
import { delegationSpanish } from './delegation.ts';
import { fileSpanish } from './file.ts';
import { formSpanish } from './form.ts';
import { formViewSpanish } from './form-view.ts';
import { linkSpanish } from './link.ts';
import { phoneSpanish } from './phone.ts';
import { savedSpanish } from './saved.ts';

export const spanish: PageTexts = {
  name: 'Español',
  language: 'Idioma',
  numbers: { hasDecimalComma: true, groupsWithSpaces: false },
  documentTypes: documentTypeNames.es,

  preview: 'Vista previa.',
  previewMeaning: 'Esto es lo que verá el destinatario. Nada de lo que haga aquí se envía ni se guarda.',
  testMode: 'Modo de prueba.',
  testModeMeaning: 'Este documento se envió en modo de prueba: no se envía ningún correo ni mensaje de texto por él.',
  sentBy: (sender: Html) => html`Enviado por ${sender}`,
  messageFrom: (sender: Html) => html`Mensaje de ${sender}`,
  recipients: 'Destinatarios',
  you: 'Usted',
  details: 'Datos',
  sentAt: 'Enviado',
  expiresAt: 'Vence',
  reference: 'Referencia',
  personalLink: (recipient: Html) => html`Este enlace es solo para ${recipient}. No lo reenvíe, por favor.`,
  personalLinkOfSomebody: 'Este enlace es personal. No lo reenvíe, por favor.',
  sentWith: 'Enviado con Countersign',

  recipientKind: { signer: 'Firmante', approver: 'Aprobador', cc: 'Recibe una copia' },
  recipientStatus: {
    signer: {
      pending: 'Aún no solicitado',
      sent: 'Enviado',
      viewed: 'Abierto',
      signed: 'Firmado',
      declined: 'Rechazado',
    },
    approver: {
      pending: 'Aún no solicitado',
      sent: 'Enviado',
      viewed: 'Abierto',
      signed: 'Aprobado',
      declined: 'Rechazado',
    },
    cc: {
      pending: 'Al final',
      sent: 'Copia enviada',
      viewed: 'Abierto',
      signed: 'Copia enviada',
      declined: 'Rechazado',
    },
  },

  signatureRequested: 'Se solicita su firma',
  approvalRequested: 'Se solicita su aprobación',
  start: 'Comenzar',
  signHeading: 'Firme este documento',
  approveHeading: 'Apruebe este documento',
  fullName: 'Nombre completo',
  fullNameHint: 'Cámbielo si firma con otro nombre.',
  signatureStyle: 'Firma',
  type: 'Escribir',
  draw: 'Dibujar',
  typedHint: 'Su nombre escrito es su firma.',
  typedEmpty: 'Aquí aparecerá su nombre',
  drawingArea: 'Espacio para dibujar su firma',
  drawHint: 'Dibuje con el dedo, un lápiz o el ratón. Si no puede dibujar, elija Escribir.',
  clear: 'Borrar',
  signMeaning:
    'Al elegir Firmar, usted acepta firmar este documento electrónicamente. Su firma electrónica tiene por objeto obligarle igual que una manuscrita. Junto con ella se registran su nombre, la hora y su dirección IP.',
  approveMeaning:
    'Al elegir Aprobar, usted acepta hacerlo electrónicamente y confirma que aprueba este documento. Junto con ello se registran su nombre, la hora y su dirección IP.',
  signMeaningAsked:
    'Al elegir Firmar, usted firma este documento. Su firma electrónica tiene por objeto obligarle igual que una manuscrita. Junto con ella se registran su nombre, la hora y su dirección IP.',
  approveMeaningAsked:
    'Al elegir Aprobar, confirma que aprueba este documento. Junto con ello se registran su nombre, la hora y su dirección IP.',
  sign: 'Firmar',
  approve: 'Aprobar',
  decline: 'Rechazar',
  declineHeading: '¿Desea rechazar la firma de este documento?',
  declineHeadingApprover: '¿Desea rechazar la aprobación de este documento?',
  declineMeaning: (sender: Html) =>
    html`Esto pone fin al documento para todos: nadie podrá firmarlo ya. ${sender} recibirá su motivo.`,
  reason: 'Motivo',
  reasonHint: 'Hasta 1000 caracteres. Solo lo ve el remitente.',
  declineToSign: 'Rechazar la firma',
  cancel: 'Cancelar',

  waitingHeading: 'Todavía no es su turno',
  waitingText: (sender: Html) =>
    html`Otras personas deben firmar antes que usted. Cuando sea su turno, ${sender} le avisará. Hasta entonces no tiene que hacer nada y puede cerrar esta página.`,
  codeHeading: 'Confirme su identidad',
  codeForDocument: (sender: Html) =>
    html`${sender} le ha enviado este documento. Para verlo, introduzca el código que enviaremos a su teléfono.`,
  codeForCopy: (sender: Html) =>
    html`Este documento de ${sender} está completo. Para ver su copia, introduzca el código que enviaremos a su teléfono.`,
  codeGoesTo: (number: Html | null) =>
    number === null
      ? html`El código se envía al número de teléfono que indicó el remitente.`
      : html`El código se envía al número de teléfono ${number}.`,
  numberEnding: (digits: string) => `que termina en ${digits}`,
  codeShownHere: 'En el modo de prueba no se envía ningún mensaje de texto: el código aparece aquí.',
  codeWrongNumber: (sender: Html) => html`Si este no es su número, pida a ${sender} que lo corrija.`,
  sendCode: 'Enviar código',
  code: 'Código de verificación',
  codeHint: 'Seis cifras, válidas durante 10 minutos.',
  codeNoCookie:
    'Su navegador no guardó nuestra cookie, por lo que el documento no se puede mostrar aquí. Permita las cookies en esta página.',
  verify: 'Verificar',
  needsAccountHeading: 'Inicie sesión para abrir este documento',
  needsAccountText: (sender: Html) =>
    html`${sender} pidió que usted inicie sesión con su dirección de correo antes de leer este documento. No necesita una cuenta: un enlace demuestra que la dirección es suya.`,
  copyNeedsAccountHeading: 'Completado: todos han firmado',
  copyNeedsAccountText: (sender: Html) =>
    html`${sender} pidió que usted inicie sesión con su dirección de correo antes de leer la copia completada. No necesita una cuenta: un enlace demuestra que la dirección es suya.`,
  linkGoesTo: (address: Html) =>
    html`El enlace se envía a ${address}, funciona una sola vez y le devuelve a este documento.`,
  linkShownHere: 'En el modo de prueba no se envía ningún correo: el documento se abre enseguida.',
  linkWrongAddress: (sender: Html) => html`Si esta no es su dirección, pida a ${sender} que la corrija.`,
  linkNowhere: (sender: Html) =>
    html`${sender} no indicó ninguna dirección de correo suya. Pídale una nueva solicitud que la tenga.`,
  sendLink: 'Enviar enlace de acceso',
  signInInstead: 'Entrar con contraseña o llave de acceso',
  signedHeading: 'Usted firmó este documento',
  signedText: (time: Html) => html`Su firma quedó registrada el ${time}.`,
  approvedHeading: 'Usted aprobó este documento',
  approvedText: (time: Html) => html`Su aprobación quedó registrada el ${time}.`,
  othersNext:
    'No tiene que hacer nada más. Cuando todos hayan firmado, podrá descargar la copia completa desde esta página.',
  completedHeading: 'Completado: todos han firmado',
  completedText: (time: Html) => html`El documento se completó el ${time}.`,
  copyReadyText:
    'El PDF sellado contiene el documento, las firmas y un certificado de quién hizo qué y cuándo. Cualquier cambio posterior se puede detectar.',
  downloadCopy: 'Descargar el PDF sellado',
  copyNotReadyText: 'El PDF sellado se está preparando. Suele tardar unos segundos; después, el enlace aparecerá aquí.',
  copyDelayedText:
    'El PDF sellado tarda más de lo habitual, porque los operadores de este servicio tienen que revisarlo. Vuelva a abrir esta página más tarde.',
  copyErasedText: 'El PDF sellado se eliminó y ya no se puede descargar aquí.',
  declinedHeading: 'Usted rechazó la firma',
  declinedHeadingApprover: 'Usted rechazó la aprobación',
  declinedText: (sender: Html, time: Html) =>
    html`Registrado el ${time}. ${sender} ve su motivo. Ya nadie puede firmar este documento. Si lo rechazó por error, contacte con ${sender}.`,
  yourReason: 'Su motivo',
  declinedByOtherHeading: 'Este documento fue rechazado',
  declinedByOtherText: (sender: Html, time: Html) =>
    html`Un destinatario lo rechazó el ${time}, por lo que nadie puede firmarlo ya. Si tiene preguntas, póngase en contacto con ${sender}.`,
  voidedHeading: 'Este documento fue anulado',
  voidedText: (sender: Html) =>
    html`${sender} lo anuló, por lo que ya no se puede firmar. Si tiene preguntas, póngase en contacto con ${sender}.`,
  voidedReason: 'Motivo indicado',
  expiredHeading: 'Este documento ha vencido',
  expiredText: (sender: Html, time: Html) =>
    html`Se podía firmar hasta el ${time}. Si todavía se necesita, pida a ${sender} que lo envíe de nuevo.`,
  copyHeading: 'Usted recibirá una copia',
  copyText: 'No tiene que firmar nada. Cuando todos hayan firmado, recibirá la copia completa.',
  finish: 'Terminar',
  finishHint: 'Si otras personas usan este dispositivo, elija Terminar: borra esta página.',
  finishHintInPerson: 'Terminar borra esta página para la siguiente persona que use este dispositivo.',

  signedAs: (name: Html, time: Html) => html`Firmado como ${name} el ${time}`,

  unknownLinkTitle: 'Este enlace no funciona',
  unknownLinkText: 'Puede que esté incompleto o que haya sido sustituido por otro más reciente.',
  unknownLinkSteps: [
    'Abra el mensaje más reciente sobre este documento y use el enlace que contiene.',
    'Si copió el enlace, compruebe que esté completo: algunos programas de correo parten los enlaces largos.',
    'Si sigue sin funcionar, pida al remitente que envíe el documento de nuevo.',
  ],
  reassignedLinkTitle: 'Este enlace ya no funciona',
  reassignedLinkText: (sender: Html) =>
    html`Se le ha pedido a otra persona que firme el documento de ${sender}, así que este enlace ha terminado.`,
  reassignedLinkSteps: (sender: Html) => [
    html`Si recibió un mensaje más reciente sobre este documento, use el enlace que contiene.`,
    html`Si no, no tiene que hacer nada. Si tiene preguntas, contacte con ${sender}.`,
  ],
  unknownAddressTitle: 'Página no encontrada',
  unknownAddressText:
    'Puede que esté incompleta o mal escrita. Si venía a firmar algo, use el enlace del mensaje más reciente sobre ello.',
  startPage: 'Ir a la página de inicio',
  throttledTitle: 'Demasiadas solicitudes',
  throttledText:
    'En este momento llegan demasiadas solicitudes desde su red. No se ha perdido nada. Espere un minuto e inténtelo de nuevo.',
  errorTitle: 'Esta página no se puede mostrar en este momento',
  errorText:
    'En este momento no es posible conectar con el servicio. No se ha perdido nada de lo que ya estaba registrado. Inténtelo de nuevo dentro de un minuto.',
  tryAgain: 'Intentar de nuevo',

  file: fileSpanish,
  form: formSpanish,
  formView: formViewSpanish,
  delegation: delegationSpanish,
  comments: commentsSpanish,
  saved: savedSpanish,
  link: linkSpanish,
  phone: phoneSpanish,

  script: {
    refusals: {
      preview_only:
        'Esto es una vista previa, así que no se registró nada. Cuando envíe el documento, el destinatario lo firmará o rechazará aquí.',
      already_signed: 'Usted ya firmó este documento. No se registró nada más.',
      already_declined: 'Usted ya rechazó este documento. No se registró nada más.',
      document_voided: 'El remitente anuló este documento, por lo que no se registró nada.',
      document_declined: 'Otro destinatario rechazó este documento, por lo que no se registró nada.',
      document_expired: 'Este documento ha vencido, por lo que no se registró nada.',
      document_completed: 'Este documento ya está completado. No se registró nada más.',
      not_your_turn: 'Todavía no es su turno, por lo que no se registró nada.',
      link_unknown:
        'Este enlace ya no funciona, por lo que no se registró nada. Vuelva a cargar la página para ver por qué.',
      page_moved:
        'Esta página tiene una nueva dirección, por lo que no se registró nada. Vuelva a abrirla y escriba lo que falte.',
      invalid_full_name: 'Este nombre no se puede usar. Escriba su nombre completo, de hasta 120 caracteres.',
      invalid_signature: 'Su firma no se ve o no se puede leer. Dibújela de nuevo o elija Escribir.',
      consent_required: 'Marque la casilla para aceptar antes de continuar.',
      saved_unavailable:
        'Su firma guardada se cambió o se quitó, o su sesión ha terminado. Vuelva a cargar la página o haga una firma nueva.',
      invalid_reason: 'Escriba un motivo de 1 a 1000 caracteres.',
      fields_missing: 'Un campo obligatorio está vacío, por lo que no se registró nada.',
      file_type_refused: 'Este archivo no se puede usar. Elija un archivo PDF, PNG o JPEG.',
      file_too_large: 'Este archivo es demasiado grande. Elija uno de 10 MB como máximo.',
      too_many_uploads: 'Ha enviado demasiados archivos. Inténtelo de nuevo dentro de una hora.',
      invalid_field: 'El valor no se puede usar. Revíselo e inténtelo de nuevo.',
      verification_required: 'Su verificación caducó, por lo que no se registró nada. Confirme de nuevo su identidad.',
      invalid_code:
        'Este código no abre el documento. Compruebe el mensaje más reciente o elija Enviar código para recibir otro.',
      too_many_codes: 'En este momento no se pueden enviar más códigos.',
      code_not_sent:
        'No se pudo enviar el código. Inténtelo de nuevo; si vuelve a fallar, pida al remitente que compruebe el número.',
      too_many_links: 'Por ahora no se pueden enviar más enlaces.',
      link_not_sent:
        'No se pudo enviar el enlace. Inténtelo de nuevo; si vuelve a fallar, pida al remitente que compruebe la dirección.',
      temporarily_unavailable:
        'En este momento no es posible conectar con el servicio. Lo que escribió sigue aquí. Inténtelo de nuevo.',
    },
    connectionFailed: 'Falló la conexión. Lo que escribió sigue aquí. Compruebe su conexión e inténtelo de nuevo.',
    somethingFailed: 'Algo salió mal. Lo que escribió sigue aquí. Inténtelo de nuevo.',
    recording: 'Registrando…',
    codeSending: 'Enviando el código…',
    codeSent: 'El código está en camino. Puede tardar un minuto en llegar.',
    codeShown: 'Modo de prueba: su código es {code}.',
    codeNext: 'Se enviaron cinco códigos en una hora. Podrá recibir el siguiente {when}.',
    codeChecking: 'Comprobando el código…',
    linkSending: 'Enviando el enlace…',
    linkSent: 'El enlace va en camino. Puede tardar un minuto en llegar y funciona durante 10 minutos.',
    linkNext: 'Se enviaron cinco enlaces en una hora. Podrá recibir el siguiente {when}.',
    codeMissing: 'Escriba las seis cifras del código.',
    nameMissing: 'Escriba su nombre completo.',
    reasonMissing: 'Escriba un motivo.',
    drawingMissing: 'Dibuje su firma o elija Escribir.',
    drawingUnavailable: 'No se pudo cargar el espacio para dibujar. Elija Escribir o abra Dibujar de nuevo.',
    drawingCleared: 'Dibujo borrado.',
    phoneWaiting: 'Esperando a su teléfono.',
    phoneOpened: 'Su teléfono está listo. Dibuje en él.',
    phoneDrawn: 'El dibujo de su teléfono ya está aquí.',
    phoneEnded: 'Este código ya no vale. Muestre uno nuevo.',
    uploadMissing: 'Elija una imagen o elija Escribir.',
    uploadUnreadable: 'No se pudo leer este archivo como imagen. Elija un archivo PNG, JPEG o WebP.',
    tryAgain: 'Intentar de nuevo',
    showStatus: 'Ver el estado actual',
    closedTitle: 'Puede cerrar esta página',
    closedText: 'Ya puede cerrar esta página. No muestra nada más del documento.',
    newSignature: 'Otra persona acaba de firmar. La página ya lo muestra.',
    handBackText: 'Devuelva el dispositivo, por favor. Ya no muestra nada del documento.',
  },
};
