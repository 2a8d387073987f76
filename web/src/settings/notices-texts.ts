import type { NoticeKind } from '../../../src/accounts/notice-kinds.ts';
import { inLanguage } from '../language.ts';

interface Texts {
  intro: string;
  groups: { title: string; kinds: NoticeKind[] }[];
  kinds: Record<NoticeKind, { label: string; hint: string }>;
  save: string;
  saved: string;
}

const toSender: NoticeKind[] = [
  'sender_completed',
  'sender_declined',
  'sender_bounced',
  'sender_delegated',
  'sender_commented',
];
const toRecipients: NoticeKind[] = [
  'recipient_voided',
  'recipient_declined',
  'recipient_expired',
  'recipient_reassigned',
];

const english: Texts = {
  intro: 'Choose the notices that your company sends about its documents. Test documents send none.',
  groups: [
    { title: 'To the member who sent the document', kinds: toSender },
    { title: 'To recipients who know of the document', kinds: toRecipients },
  ],
  kinds: {
    sender_completed: { label: 'Completed', hint: 'Everyone has signed.' },
    sender_declined: { label: 'Declined', hint: 'A recipient has declined. The e-mail has their reason.' },
    sender_bounced: { label: 'Bounced', hint: 'An e-mail to a recipient came back.' },
    sender_delegated: { label: 'Passed on', hint: 'A recipient has named someone else.' },
    sender_commented: { label: 'Comment', hint: 'A recipient has written to the sender. The e-mail has the text.' },
    recipient_voided: { label: 'Voided', hint: 'The document was voided. The e-mail has the reason.' },
    recipient_declined: { label: 'Declined by another', hint: 'Another recipient has declined.' },
    recipient_expired: { label: 'Expired', hint: 'The time to sign is over.' },
    recipient_reassigned: { label: 'Reassigned', hint: 'Someone else was asked instead of them.' },
  },
  save: 'Save',
  saved: 'Saved.',
};

const spanish: Texts = {
  intro: 'Elija los avisos que su empresa envía sobre sus documentos. Los documentos de prueba no envían ninguno.',
  groups: [
    { title: 'Al miembro que envió el documento', kinds: toSender },
    { title: 'A los destinatarios que conocen el documento', kinds: toRecipients },
  ],
  kinds: {
    sender_completed: { label: 'Completado', hint: 'Todos han firmado.' },
    sender_declined: { label: 'Rechazado', hint: 'Un destinatario ha rechazado. El correo incluye su motivo.' },
    sender_bounced: { label: 'Devuelto', hint: 'Un correo a un destinatario fue devuelto.' },
    sender_delegated: { label: 'Pasado a otra persona', hint: 'Un destinatario ha indicado a otra persona.' },
    sender_commented: {
      label: 'Comentario',
      hint: 'Un destinatario ha escrito al remitente. El correo incluye el texto.',
    },
    recipient_voided: { label: 'Anulado', hint: 'El documento se ha anulado. El correo incluye el motivo.' },
    recipient_declined: { label: 'Rechazado por otro', hint: 'Otro destinatario ha rechazado.' },
    recipient_expired: { label: 'Vencido', hint: 'El plazo para firmar ha terminado.' },
    recipient_reassigned: { label: 'Reasignado', hint: 'Se ha pedido a otra persona en su lugar.' },
  },
  save: 'Guardar',
  saved: 'Guardado.',
};

export const noticesText = inLanguage(english, spanish);
