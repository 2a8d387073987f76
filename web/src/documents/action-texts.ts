import { inLanguage } from '../language.ts';

const english = {
  send: 'Send',
  edit: 'Edit',
  previewAsSigner: 'Preview',
  attach: 'Attach PDF',
  replace: 'Replace PDF',
  placeFields: 'Place fields',
  more: 'More to do with this document',
  notTaken: 'The draft is made, but its PDF was not taken. {why}',
  notTakenTemplate: 'The template is made, but its PDF was not taken. {why}',
  remind: 'Remind',
  voidDocument: 'Void document',
  download: 'Download PDF',
  downloadOriginal: 'Original file',
  reassign: 'Reassign',
  inPerson: 'Sign here in person',
  dialogs: {
    sendTitle: 'Send this document?',
    sendText: {
      one: 'A request to sign goes out to one party.',
      other: 'Requests to sign go out to {n} parties, in the order you chose.',
    },
    sendAfter: 'After that the document cannot be changed.',
    remindTitle: 'Send a reminder?',
    remindText: 'Everybody whose turn it is gets a message with a fresh link.',
    voidTitle: 'Void this document?',
    voidText: 'Nobody can sign it any more, and open links say so. This cannot be taken back.',
    voidCompleted: 'It is completed: the sealed PDF stays valid as a file, but is marked void here.',
    reason: 'Reason',
    reasonHint: 'The parties see it.',
    reassignTitle: 'Reassign the place of {name}',
    reassignText:
      'Somebody else signs instead, and is asked at once when it is their turn. Links of {name} stop working.',
    name: 'Name',
    email: 'E-mail address',
    phone: 'Phone number',
    inPersonTitle: 'Let {name} sign on this device',
    inPersonText:
      'The signing page opens here. Hand the device over then; the history records that the link was shown.',
    signOutFirst: 'Sign me out on this device first',
    signOutHint: 'Recommended: whoever holds the device could use your console otherwise.',
    open: 'Open signing page',
  },
  failures: {
    remind: {
      refused:
        'Nobody can be reminded now: each party at most once in 24 hours, and nobody who signs in person or whose turn has not come.',
    },
    void: { refused: 'This document is void already.', invalid_input: 'Give a reason of 1 to 1000 characters.' },
    reassign: {
      refused:
        'This place cannot be reassigned like this. It needs another person, with the address or number that they are asked at.',
      invalid_input: 'Give a name, and an address or number that can be right.',
    },
    send: {
      document_not_sendable: 'This document was sent already.',
      changed_meanwhile:
        'Somebody changed this document meanwhile, so nothing was sent. Close this, and look at it again.',
      no_recipients: 'This document has no parties.',
      no_signers: 'Nobody on this document signs: everybody only gets a copy.',
      recipient_contact_required: 'A party lacks the e-mail address or phone number that it is to be asked at.',
      approver_requires_sequential: 'A document with an approver must be signed one after another.',
      pay_app_unsigned:
        'This is a mirror, and the document that it mirrors is not signed by everybody yet. It can be sent when that is completed.',
    },
    attach: {
      invalid_pdf: 'This file cannot be signed here: it is no PDF, or it is damaged.',
      'invalid_pdf:encrypted': 'This PDF wants a password to be opened. Save it without one.',
      'invalid_pdf:xfa': 'This PDF is an XFA form, which only one program can show. Print it to a PDF first.',
      'invalid_pdf:too_many_pages': 'This PDF has more than 5000 pages.',
      'invalid_pdf:too_complex': 'This PDF takes too long or too much memory to read.',
      file_too_large: 'This file is larger than 150 MB.',
      invalid_input: 'The file did not arrive whole. Try again.',
      refused: 'The document was sent already, so its PDF cannot be changed.',
    } as Record<string, string>,
    inPerson: { refused: 'This party cannot sign in person now.' },
  },
};

const spanish: typeof english = {
  send: 'Enviar',
  edit: 'Editar',
  previewAsSigner: 'Vista previa',
  attach: 'Adjuntar PDF',
  replace: 'Cambiar PDF',
  placeFields: 'Colocar campos',
  more: 'Más acciones con este documento',
  notTaken: 'El borrador está creado, pero su PDF no se aceptó. {why}',
  notTakenTemplate: 'La plantilla está creada, pero su PDF no se aceptó. {why}',
  remind: 'Recordar',
  voidDocument: 'Anular documento',
  download: 'Descargar PDF',
  downloadOriginal: 'Archivo original',
  reassign: 'Reasignar',
  inPerson: 'Firmar aquí en persona',
  dialogs: {
    sendTitle: '¿Enviar este documento?',
    sendText: {
      one: 'Sale una solicitud de firma a una parte.',
      other: 'Salen solicitudes de firma a {n} partes, en el orden elegido.',
    },
    sendAfter: 'Después ya no se puede cambiar el documento.',
    remindTitle: '¿Enviar un recordatorio?',
    remindText: 'Todos aquellos a quienes les toca reciben un mensaje con un enlace nuevo.',
    voidTitle: '¿Anular este documento?',
    voidText: 'Nadie podrá firmarlo ya, y los enlaces abiertos lo dirán. No se puede deshacer.',
    voidCompleted: 'Está completado: el PDF sellado sigue siendo válido como archivo, pero aquí queda anulado.',
    reason: 'Motivo',
    reasonHint: 'Las partes lo ven.',
    reassignTitle: 'Reasignar el puesto de {name}',
    reassignText:
      'Firma otra persona, a la que se le pide en cuanto le toque. Los enlaces de {name} dejan de funcionar.',
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    inPersonTitle: 'Que {name} firme en este dispositivo',
    inPersonText:
      'La página de firma se abre aquí. Entregue entonces el dispositivo; el historial registra que se mostró el enlace.',
    signOutFirst: 'Cerrar antes mi sesión en este dispositivo',
    signOutHint: 'Recomendado: si no, quien tenga el dispositivo podría usar su consola.',
    open: 'Abrir la página de firma',
  },
  failures: {
    remind: {
      refused:
        'Ahora no se puede recordar a nadie: a cada parte como mucho una vez en 24 horas, y a nadie que firme en persona o a quien aún no le toque.',
    },
    void: { refused: 'Este documento ya está anulado.', invalid_input: 'Escriba un motivo de 1 a 1000 caracteres.' },
    reassign: {
      refused:
        'Este puesto no se puede reasignar así. Hace falta otra persona, con la dirección o el número en que se le pide.',
      invalid_input: 'Escriba un nombre, y una dirección o un número que puedan ser correctos.',
    },
    send: {
      document_not_sendable: 'Este documento ya se envió.',
      changed_meanwhile:
        'Alguien ha cambiado este documento entretanto, y no se ha enviado nada. Cierre esto y vuelva a mirarlo.',
      no_recipients: 'Este documento no tiene partes.',
      no_signers: 'Nadie firma este documento: todos reciben solo una copia.',
      recipient_contact_required: 'A una parte le falta el correo o el número en que se le ha de pedir.',
      approver_requires_sequential: 'Un documento con aprobador debe firmarse uno tras otro.',
      pay_app_unsigned:
        'Este es un reflejo, y el documento que refleja aún no está firmado por todos. Se puede enviar cuando aquel esté completado.',
    },
    attach: {
      invalid_pdf: 'Este archivo no se puede firmar aquí: no es un PDF, o está dañado.',
      'invalid_pdf:encrypted': 'Este PDF pide una contraseña para abrirse. Guárdelo sin ella.',
      'invalid_pdf:xfa': 'Este PDF es un formulario XFA, que solo un programa puede mostrar. Imprímalo antes como PDF.',
      'invalid_pdf:too_many_pages': 'Este PDF tiene más de 5000 páginas.',
      'invalid_pdf:too_complex': 'Leer este PDF lleva demasiado tiempo o memoria.',
      file_too_large: 'Este archivo pasa de 150 MB.',
      invalid_input: 'El archivo no llegó entero. Inténtelo de nuevo.',
      refused: 'El documento ya se envió, así que su PDF no se puede cambiar.',
    },
    inPerson: { refused: 'Esta parte no puede firmar en persona ahora.' },
  },
};

export const actionText = inLanguage(english, spanish);
