import type { Language } from '../platform/language.ts';
import type { LoggedKind, MessageState } from './message-kinds.ts';

export const kindNames: Record<Language, Record<LoggedKind, string>> = {
  en: {
    signature_request: 'Request',
    reminder: 'Reminder',
    completed_copy: 'Completed copy',
    sender_completed: 'Notice to the sender: completed',
    sender_declined: 'Notice to the sender: declined',
    sender_bounced: 'Notice to the sender: bounced',
    sender_delegated: 'Notice to the sender: passed on',
    sender_commented: 'Notice to the sender: comment',
    recipient_voided: 'Notice to a recipient: voided',
    recipient_declined: 'Notice to a recipient: declined by another',
    recipient_expired: 'Notice to a recipient: expired',
    recipient_reassigned: 'Notice to a recipient: reassigned',
    verification_code: 'Verification code',
    sign_in_link: 'Sign-in link',
    review_submitted: 'Notice to a member: for review',
    review_returned: 'Notice to a member: returned to draft',
    schedule_failed: 'Notice to a member: not sent at its time',
    bulk_send_stopped: 'Notice to a member: bulk send stopped',
  },
  es: {
    signature_request: 'Solicitud',
    reminder: 'Recordatorio',
    completed_copy: 'Copia completada',
    sender_completed: 'Aviso al remitente: completado',
    sender_declined: 'Aviso al remitente: rechazado',
    sender_bounced: 'Aviso al remitente: correo devuelto',
    sender_delegated: 'Aviso al remitente: pasado a otra persona',
    sender_commented: 'Aviso al remitente: comentario',
    recipient_voided: 'Aviso a un destinatario: anulado',
    recipient_declined: 'Aviso a un destinatario: rechazado por otro',
    recipient_expired: 'Aviso a un destinatario: vencido',
    recipient_reassigned: 'Aviso a un destinatario: reasignado',
    verification_code: 'Código de verificación',
    sign_in_link: 'Enlace de acceso',
    review_submitted: 'Aviso a un miembro: para revisar',
    review_returned: 'Aviso a un miembro: devuelto a borrador',
    schedule_failed: 'Aviso a un miembro: no enviado a su hora',
    bulk_send_stopped: 'Aviso a un miembro: envío a muchos detenido',
  },
};

export const stateNames: Record<Language, Record<MessageState, string>> = {
  en: { waiting: 'Waiting', accepted: 'Accepted', bounced: 'Bounced', failed: 'Failed', cancelled: 'Cancelled' },
  es: { waiting: 'En espera', accepted: 'Aceptado', bounced: 'Devuelto', failed: 'Fallido', cancelled: 'Cancelado' },
};
