import { inLanguage } from '../language.ts';

const english = {
  send: 'Send',
  edit: 'Edit',
  previewAsSigner: 'Preview',
  attach: 'Attach PDF',
  replace: 'Replace PDF',
  placeFields: 'Place fields',
  more: 'More actions for this document',
  notTaken: 'The draft was created, but its PDF wasn’t attached. {why}',
  notTakenTemplate: 'The template was created, but its PDF wasn’t attached. {why}',
  remind: 'Remind',
  voidDocument: 'Void document',
  download: 'Download PDF',
  downloadOriginal: 'Original file',
  reassign: 'Reassign',
  inPerson: 'Sign here in person',
  dialogs: {
    sendTitle: 'Send this document?',
    sendText: {
      one: 'One recipient will receive a signing request.',
      other: '{n} recipients will receive signing requests in the order you chose.',
    },
    sendAfter: 'You can’t change the document after sending it.',
    remindTitle: 'Send a reminder?',
    remindText: 'Everyone whose turn it is gets a message with a new link.',
    voidTitle: 'Void this document?',
    voidText: 'No one will be able to sign it. You can’t undo this.',
    voidCompleted: 'This document is completed. The sealed PDF stays valid, but the document will be marked void here.',
    reason: 'Reason',
    reasonHint: 'Recipients will see this.',
    reassignTitle: 'Reassign from {name}',
    reassignText:
      'The new person signs instead and is notified when it’s their turn. Links sent to {name} stop working.',
    name: 'Name',
    email: 'E-mail address',
    phone: 'Phone number',
    inPersonTitle: 'Let {name} sign on this device',
    inPersonText:
      'The signing page opens on this device. Then hand it over. The history records that you opened the link.',
    signOutFirst: 'Sign me out on this device first',
    signOutHint: 'Recommended. Otherwise anyone using this device could access your console.',
    open: 'Open signing page',
  },
  failures: {
    remind: {
      refused:
        'No reminder sent. You can remind each person once every 24 hours, and only when it’s their turn. People who sign in person can’t be reminded.',
    },
    void: { refused: 'This document is already void.', invalid_input: 'Enter a reason of up to 1000 characters.' },
    reassign: {
      refused: 'Choose a different person, and enter their e-mail address or phone number.',
      invalid_input: 'Enter a name and a valid e-mail address or phone number.',
    },
    send: {
      document_not_sendable: 'This document was already sent.',
      changed_meanwhile:
        'Someone else changed this document, so it wasn’t sent. Close this dialog and review the changes.',
      no_recipients: 'Add at least one recipient.',
      no_signers: 'Add at least one signer. Everyone on this document only gets a copy.',
      recipient_contact_required: 'Every recipient needs an e-mail address or phone number.',
      approver_requires_sequential: 'Documents with an approver must be signed in order.',
      pay_app_unsigned: 'This document mirrors another one. You can send it when that document is completed.',
    },
    attach: {
      invalid_pdf: 'This file isn’t a PDF, or it is damaged. Choose another file.',
      'invalid_pdf:encrypted': 'This PDF is password-protected. Save a copy without a password.',
      'invalid_pdf:xfa': 'XFA forms aren’t supported. Print the form to a PDF and attach that file.',
      'invalid_pdf:too_many_pages': 'This PDF has more than 5000 pages.',
      'invalid_pdf:too_complex': 'This PDF is too complex to process.',
      file_too_large: 'This file is larger than 150 MB.',
      invalid_input: 'The upload didn’t finish. Try again.',
      refused: 'This document was already sent, so you can’t replace its PDF.',
    } as Record<string, string>,
    inPerson: { refused: 'This recipient can’t sign in person right now.' },
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
  notTaken: 'Se creó el borrador, pero no se adjuntó su PDF. {why}',
  notTakenTemplate: 'Se creó la plantilla, pero no se adjuntó su PDF. {why}',
  remind: 'Recordar',
  voidDocument: 'Anular documento',
  download: 'Descargar PDF',
  downloadOriginal: 'Archivo original',
  reassign: 'Reasignar',
  inPerson: 'Firmar aquí en persona',
  dialogs: {
    sendTitle: '¿Enviar este documento?',
    sendText: {
      one: 'Un destinatario recibirá una solicitud de firma.',
      other: '{n} destinatarios recibirán una solicitud de firma en el orden elegido.',
    },
    sendAfter: 'Una vez enviado, no podrá cambiar el documento.',
    remindTitle: '¿Enviar un recordatorio?',
    remindText: 'Quienes deban firmar ahora recibirán un mensaje con un enlace nuevo.',
    voidTitle: '¿Anular este documento?',
    voidText: 'Nadie podrá firmarlo. Esta acción no se puede deshacer.',
    voidCompleted: 'Este documento está completado. El PDF sellado sigue siendo válido, pero aquí quedará anulado.',
    reason: 'Motivo',
    reasonHint: 'Los destinatarios verán este motivo.',
    reassignTitle: 'Reasignar a {name}',
    reassignText:
      'La nueva persona firmará en su lugar y recibirá un aviso cuando sea su turno. Los enlaces de {name} dejarán de funcionar.',
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    inPersonTitle: 'Que {name} firme en este dispositivo',
    inPersonText:
      'La página de firma se abre en este dispositivo. Después, entréguelo. El historial registra que abrió el enlace.',
    signOutFirst: 'Cerrar antes mi sesión en este dispositivo',
    signOutHint: 'Recomendado. Si no, quien use este dispositivo podría acceder a su consola.',
    open: 'Abrir la página de firma',
  },
  failures: {
    remind: {
      refused:
        'No se envió ningún recordatorio. Puede recordar a cada persona una vez cada 24 horas y solo cuando sea su turno. No se envían recordatorios a quienes firman en persona.',
    },
    void: { refused: 'Este documento ya está anulado.', invalid_input: 'Escriba un motivo de hasta 1000 caracteres.' },
    reassign: {
      refused: 'Elija a otra persona e indique su correo o número de teléfono.',
      invalid_input: 'Escriba un nombre y un correo o número de teléfono válido.',
    },
    send: {
      document_not_sendable: 'Este documento ya se envió.',
      changed_meanwhile:
        'Otra persona cambió este documento, así que no se envió. Cierre este cuadro y revise los cambios.',
      no_recipients: 'Añada al menos un destinatario.',
      no_signers: 'Añada al menos un firmante. Todos los destinatarios solo reciben una copia.',
      recipient_contact_required: 'Todos los destinatarios necesitan un correo o número de teléfono.',
      approver_requires_sequential: 'Los documentos con un aprobador se firman en orden.',
      pay_app_unsigned: 'Este documento refleja otro. Podrá enviarlo cuando ese documento se complete.',
    },
    attach: {
      invalid_pdf: 'Este archivo no es un PDF o está dañado. Elija otro.',
      'invalid_pdf:encrypted': 'Este PDF está protegido con contraseña. Guarde una copia sin contraseña.',
      'invalid_pdf:xfa': 'No se admiten formularios XFA. Imprímalo como PDF y adjunte ese archivo.',
      'invalid_pdf:too_many_pages': 'Este PDF tiene más de 5000 páginas.',
      'invalid_pdf:too_complex': 'Este PDF es demasiado complejo para procesarlo.',
      file_too_large: 'Este archivo supera los 150 MB.',
      invalid_input: 'La carga no se completó. Inténtelo de nuevo.',
      refused: 'Este documento ya se envió, así que no puede cambiar su PDF.',
    },
    inPerson: { refused: 'Este destinatario no puede firmar en persona en este momento.' },
  },
};

export const actionText = inLanguage(english, spanish);
