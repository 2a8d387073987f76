import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const delegationSpanish: PageTexts['delegation'] = {
  link: 'Debe firmar otra persona',
  linkApprover: 'Debe aprobar otra persona',
  heading: '¿Quién debe firmar en su lugar?',
  headingApprover: '¿Quién debe aprobar en su lugar?',
  intro: (sender) =>
    html`Esa persona recibe su propia solicitud y el enlace de usted deja de funcionar. ${sender} ve a quién ha indicado. Si no le corresponde decidirlo, consulte antes con ${sender}.`,
  name: 'Nombre completo',
  email: 'Correo electrónico',
  phone: 'Número de teléfono',
  phoneHint: 'Con el prefijo del país, por ejemplo +34 612 345 678.',
  reason: 'Motivo',
  reasonHint: 'Opcional. El remitente lo ve.',
  passOn: 'Enviar a esta persona',
  back: 'Volver',
  passedOnTitle: 'Se ha pasado a otra persona',
  passedOnText:
    'La otra persona recibe su propia solicitud. Usted no tiene que hacer nada más y puede cerrar esta página.',
  problems: {
    invalid_name: 'Escriba un nombre completo de 120 caracteres como máximo.',
    invalid_email: 'Escriba un correo electrónico, por ejemplo ada@example.com.',
    invalid_phone: 'Escriba un número de teléfono con el prefijo del país, por ejemplo +34 612 345 678.',
    invalid_reason: 'Escriba un motivo de 1000 caracteres como máximo.',
    same_person: 'Es usted. Indique a otra persona.',
  },
};
