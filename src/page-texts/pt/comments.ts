import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const commentsPortuguese: PageTexts['comments'] = {
  link: 'Fazer uma pergunta ao remetente',
  heading: 'Escrever ao remetente',
  intro: (sender) =>
    html`Faça uma pergunta ou escreva um comentário. ${sender} recebe-o e pode responder. Não faz parte do documento: depois ainda é possível assiná-lo ou recusá-lo.`,
  label: 'O seu comentário',
  hint: 'Até 2000 caracteres.',
  send: 'Enviar',
  back: 'Voltar',
  sent: 'Enviado. Pode fechar esta página ou voltar ao documento.',
  own: 'O que escreveu',
  problems: {
    invalid_comment: 'Escreva um comentário de 1 a 2000 caracteres, sem caracteres de controlo.',
    too_many_comments:
      'Este documento já não aceita mais comentários. Responda à mensagem com que o recebeu ou contacte o remetente.',
    too_often: 'Enviou muitos comentários. Tente novamente dentro de uma hora.',
  },
};
