import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const linkPortuguese: PageTexts['link'] = {
  from: (sender) => html`De ${sender}`,
  lead: (sender) =>
    html`Escreva o seu nome e o seu endereço de e-mail. Enviamos um código para que ${sender} saiba que o endereço é seu. Depois pode ler e assinar o documento. Não precisa de conta.`,
  name: 'O seu nome completo',
  nameHint: 'Tal como deve constar no documento.',
  email: 'O seu endereço de e-mail',
  emailHint: 'O código e um link para o seu documento são enviados para este endereço.',
  sendCode: 'Enviar código',
  personal: 'Cada pessoa que abre esta página assina um documento próprio.',
  codeHeading: 'Escreva o seu código',
  codeSent: (address) => html`Enviamos um código de 6 dígitos para ${address}.`,
  codeHint: 'É válido por 10 minutos. Se não vir o e-mail, procure na pasta de spam.',
  code: 'Código de verificação',
  continue: 'Continuar',
  newCode: 'Enviar novo código',
  otherAddress: 'Usar outro endereço',
  sentAgain: 'Enviamos um novo código. Os anteriores já não são válidos.',
  noCookie:
    'O seu navegador não guardou o nosso cookie, por isso não pode introduzir o código enviado. Permita cookies nesta página e peça um novo código.',
  ownTab: 'Ou abra esta página num separador próprio',
  closed: {
    off: {
      title: 'Indisponível no momento',
      text: (sender) => html`Ninguém pode assinar com este link agora. Contacte ${sender}.`,
    },
    unavailable: {
      title: 'Indisponível no momento',
      text: (sender) => html`Ninguém pode assinar com este link agora. Contacte ${sender}.`,
    },
    ended: {
      title: 'Este link expirou',
      text: (sender) =>
        html`O prazo para assinar com este link terminou. Se ainda quiser assinar, contate ${sender}. Se já tem um documento, abra-o com o link recebido por e-mail.`,
    },
    used_up: {
      title: 'Não há mais vagas',
      text: (sender) =>
        html`Todas as pessoas previstas já usaram este link. Se também quiser assinar, contate ${sender}. Se já tem um documento, abra-o com o link recebido por e-mail.`,
    },
  },
  errors: {
    invalid_name: 'Escreva o seu nome numa linha, com até 120 caracteres.',
    invalid_email: 'Escreva um endereço de e-mail, por exemplo ada@example.com.',
    invalid_code: 'Este código está errado ou já não é válido. Após 5 códigos errados, peça um novo.',
    already_used: (sender) =>
      html`Foi pedido a outra pessoa que assinasse o documento deste endereço. Em caso de dúvida, contate ${sender}.`,
    too_many: 'Houve tentativas demais. Aguarde um pouco e tente novamente.',
    code_not_sent: 'Não foi possível enviar o código. Verifique o endereço ou tente mais tarde.',
    mail_unavailable: 'Não é possível enviar o código neste momento. Tente novamente dentro de alguns minutos.',
  },
};
