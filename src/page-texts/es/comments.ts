import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const commentsSpanish: PageTexts['comments'] = {
  link: 'Preguntar al remitente',
  heading: 'Escribir al remitente',
  intro: (sender) =>
    html`Haga una pregunta o escriba un comentario. ${sender} lo recibe y puede contestarle. No forma parte del documento: después todavía puede firmarlo o rechazarlo.`,
  label: 'Su comentario',
  hint: 'Hasta 2000 caracteres.',
  send: 'Enviar',
  back: 'Volver',
  sent: 'Enviado. Puede cerrar esta página o volver al documento.',
  own: 'Lo que ha escrito',
  problems: {
    invalid_comment: 'Escriba un comentario de entre 1 y 2000 caracteres, sin caracteres de control.',
    too_many_comments:
      'Este documento ya no admite más comentarios. Responda al mensaje con el que lo recibió o póngase en contacto con el remitente.',
    too_often: 'Ha enviado muchos comentarios. Espere una hora e inténtelo de nuevo.',
  },
};
