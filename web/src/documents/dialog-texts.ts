import { inLanguage } from '../language.ts';

const english = {
  dialogs: {
    sendTitle: 'Send this document?',
    sendText: {
      one: 'One recipient will receive a signing request.',
      other: '{n} recipients will receive signing requests in the order you chose.',
    },
    sendInPerson: {
      one: 'One recipient signs in person and gets no message: open the signing page for them here.',
      other: '{n} recipients sign in person and get no message: open the signing page for them here.',
    },
    sendAfter: 'You can’t change the document after sending it.',
    remindTitle: 'Send a reminder?',
    remindText: 'Everyone whose turn it is gets a message with a new link.',
    copyTitle: 'Copy this document?',
    copyText: 'Creates a draft with the same title, recipients, PDF and fields. Nothing is sent.',
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
    void: {
      changed_meanwhile:
        'This document was completed in the meantime, so it wasn’t voided. Close this dialog and review it.',
      refused: 'This document is already void.',
      invalid_input: 'Enter a reason of up to 1000 characters.',
    },
    copy: { refused: 'This document can’t be copied.' },
    reassign: {
      changed_meanwhile:
        'This recipient has signed or was replaced in the meantime, or the document has ended. Close this dialog and review it.',
      refused: 'Choose a different person, and enter their e-mail address or phone number.',
      invalid_input: 'Enter a name of up to 120 characters, and a valid e-mail address or phone number.',
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
    inPerson: { refused: 'This recipient can’t sign in person right now.' },
  },
};

const spanish: typeof english = {
  dialogs: {
    sendTitle: '¿Enviar este documento?',
    sendText: {
      one: 'Un destinatario recibirá una solicitud de firma.',
      other: '{n} destinatarios recibirán una solicitud de firma en el orden elegido.',
    },
    sendInPerson: {
      one: 'Un destinatario firma en persona y no recibe ningún mensaje: ábrale aquí la página de firma.',
      other: '{n} destinatarios firman en persona y no reciben ningún mensaje: ábrales aquí la página de firma.',
    },
    sendAfter: 'Una vez enviado, no podrá cambiar el documento.',
    remindTitle: '¿Enviar un recordatorio?',
    remindText: 'Quienes deban firmar ahora recibirán un mensaje con un enlace nuevo.',
    copyTitle: '¿Copiar este documento?',
    copyText: 'Se crea un borrador con el mismo título, destinatarios, PDF y campos. No se envía nada.',
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
    void: {
      changed_meanwhile:
        'Este documento se completó mientras tanto, así que no se anuló. Cierre este cuadro y revíselo.',
      refused: 'Este documento ya está anulado.',
      invalid_input: 'Escriba un motivo de hasta 1000 caracteres.',
    },
    copy: { refused: 'Este documento no se puede copiar.' },
    reassign: {
      changed_meanwhile:
        'Mientras tanto, este destinatario ha firmado o ha sido sustituido, o el documento ha terminado. Cierre este cuadro y revíselo.',
      refused: 'Elija a otra persona e indique su correo o número de teléfono.',
      invalid_input: 'Escriba un nombre de hasta 120 caracteres y un correo o número de teléfono válido.',
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
    inPerson: { refused: 'Este destinatario no puede firmar en persona en este momento.' },
  },
};

/** Texts of the dialogs that are loaded when they open. */
export const dialogText = inLanguage(english, spanish);
