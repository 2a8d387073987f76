import { inLanguage } from '../language.ts';

const english = {
  later: 'Send later',
  when: 'Date and time',
  zone: 'In your time zone: {zone}. At most a year ahead.',
  laterText: 'The document is sent at that time, in your name. Until then it can’t be edited.',
  schedule: 'Schedule',
  willBeSent: 'Will be sent on {time} by {name}',
  toEdit: 'To edit the document, cancel the schedule first.',
  sendNow: 'Send now',
  change: 'Change',
  changeTitle: 'Change the time',
  cancel: 'Cancel schedule',
  cancelTitle: 'Cancel the schedule?',
  cancelText: 'The document stays a draft and is not sent.',
  notSent: 'Not sent on {time}. Scheduled by {name}.',
  dismiss: 'Dismiss',
  reasons: {
    no_recipients: 'It has no recipients.',
    no_signers: 'It has no signer.',
    recipient_contact_required: 'A recipient has no e-mail address or phone number.',
    approver_requires_sequential: 'It has an approver, so it must be signed in order.',
    pay_app_unsigned: 'The document that it mirrors is not completed.',
    not_a_member: 'The person who scheduled it is no longer a member.',
    not_allowed: 'The person who scheduled it is not allowed to send it.',
    company_removed: 'The company was removed.',
    failed: 'Sending failed several times.',
  },
  failures: {
    invalid_send_time: 'Choose a time at least a minute and at most a year ahead.',
    invalid_input: 'Choose a date and a time.',
    skipped_time: 'Choose another time. Clocks skip this one because daylight saving time begins.',
    changed_meanwhile:
      'Someone else changed this document, so it wasn’t scheduled. Close this dialog and review the changes.',
    refused: 'The document is no longer scheduled.',
  },
  changedMeanwhile:
    'Someone else changed this document, so the time you chose wasn’t saved. Close this dialog and review the changes.',
};

const spanish: typeof english = {
  later: 'Enviar más tarde',
  when: 'Fecha y hora',
  zone: 'En su zona horaria: {zone}. Como máximo, dentro de un año.',
  laterText: 'El documento se enviará a esa hora, en su nombre. Hasta entonces no se puede editar.',
  schedule: 'Programar',
  willBeSent: 'Se enviará el {time}, por {name}',
  toEdit: 'Para editar el documento, cancele antes la programación.',
  sendNow: 'Enviar ahora',
  change: 'Cambiar',
  changeTitle: 'Cambiar la hora',
  cancel: 'Cancelar programación',
  cancelTitle: '¿Cancelar la programación?',
  cancelText: 'El documento sigue siendo un borrador y no se envía.',
  notSent: 'No se envió el {time}. Programado por {name}.',
  dismiss: 'Descartar',
  reasons: {
    no_recipients: 'No tiene destinatarios.',
    no_signers: 'No tiene ningún firmante.',
    recipient_contact_required: 'A un destinatario le falta el correo o el teléfono.',
    approver_requires_sequential: 'Tiene un aprobador, así que debe firmarse en orden.',
    pay_app_unsigned: 'El documento que refleja no está completado.',
    not_a_member: 'Quien lo programó ya no es miembro.',
    not_allowed: 'Quien lo programó no puede enviarlo.',
    company_removed: 'La empresa se eliminó.',
    failed: 'El envío falló varias veces.',
  },
  failures: {
    invalid_send_time: 'Elija una hora dentro de un minuto como mínimo y de un año como máximo.',
    invalid_input: 'Elija una fecha y una hora.',
    skipped_time: 'Elija otra hora. Esta no existe ese día, porque empieza el horario de verano.',
    changed_meanwhile:
      'Otra persona cambió este documento, así que no se programó. Cierre este cuadro y revise los cambios.',
    refused: 'El documento ya no está programado.',
  },
  changedMeanwhile:
    'Otra persona cambió este documento, así que la hora que eligió no se guardó. Cierre este cuadro y revise los cambios.',
};

export const scheduleText = inLanguage(english, spanish);
