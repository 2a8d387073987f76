import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const delegationPortuguese: PageTexts['delegation'] = {
  link: 'Outra pessoa deve assinar',
  linkApprover: 'Outra pessoa deve aprovar',
  heading: 'Quem deve assinar em seu lugar?',
  headingApprover: 'Quem deve aprovar em seu lugar?',
  intro: (sender) =>
    html`Essa pessoa recebe uma solicitação própria e o seu link deixa de funcionar. ${sender} vê quem foi indicado. Se a decisão não lhe cabe, consulte antes ${sender}.`,
  name: 'Nome completo',
  email: 'Endereço de e-mail',
  phone: 'Número de telefone',
  phoneHint: 'Com o código do país, por exemplo +351 210 000 000 ou +55 11 4000 0000.',
  reason: 'Motivo',
  reasonHint: 'Opcional. O remetente pode vê-lo.',
  passOn: 'Encaminhar',
  back: 'Voltar',
  passedOnTitle: 'Pedido encaminhado',
  passedOnText:
    'A outra pessoa recebe uma solicitação própria. Não é preciso fazer mais nada e pode fechar esta página.',
  problems: {
    invalid_name: 'Escreva um nome completo com até 120 caracteres.',
    invalid_email: 'Escreva um endereço de e-mail, por exemplo ada@example.com.',
    invalid_phone: 'Escreva um número de telefone com o código do país, por exemplo +351 210 000 000.',
    invalid_reason: 'Escreva um motivo com até 1000 caracteres.',
    same_person: 'Esta pessoa é você. Indique outra pessoa.',
  },
};
