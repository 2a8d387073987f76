import type { NoticeKind } from '../../../src/accounts/notice-kinds.ts';
import { inLanguage } from '../language.ts';

interface Texts {
  intro: string;
  groups: { title: string; kinds: NoticeKind[] }[];
  kinds: Record<NoticeKind, { label: string; hint: string }>;
  save: string;
  saved: string;
}

const toSender: NoticeKind[] = ['sender_completed', 'sender_declined'];

const english: Texts = {
  intro: 'Choose the notices that your company sends about its documents. Test documents send none.',
  groups: [{ title: 'To the member who sent the document', kinds: toSender }],
  kinds: {
    sender_completed: { label: 'Completed', hint: 'Everyone has signed.' },
    sender_declined: { label: 'Declined', hint: 'A recipient has declined. The e-mail has their reason.' },
  },
  save: 'Save',
  saved: 'Saved.',
};

const spanish: Texts = {
  intro: 'Elija los avisos que su empresa envía sobre sus documentos. Los documentos de prueba no envían ninguno.',
  groups: [{ title: 'Al miembro que envió el documento', kinds: toSender }],
  kinds: {
    sender_completed: { label: 'Completado', hint: 'Todos han firmado.' },
    sender_declined: { label: 'Rechazado', hint: 'Un destinatario ha rechazado. El correo incluye su motivo.' },
  },
  save: 'Guardar',
  saved: 'Guardado.',
};

export const noticesText = inLanguage(english, spanish);
