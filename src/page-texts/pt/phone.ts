import type { PageTexts } from '../page-texts.ts';

export const phonePortuguese: PageTexts['phone'] = {
  offer: 'Desenhar no telefone',
  codeLabel: 'Código QR para o telefone',
  instructions: 'Leia este código com a câmera do telefone e desenhe lá com o dedo. O desenho aparecerá aqui.',
  drawHere: 'Desenhar aqui',
  heading: { signature: 'Desenhe a sua assinatura', initials: 'Desenhe a sua rubrica' },
  hint: 'Desenhe com o dedo. Vire o telefone para ter mais espaço.',
  send: 'Usar este desenho',
  sending: 'O desenho está sendo enviado.',
  missing: 'Desenhe primeiro.',
  unavailable: 'Não foi possível carregar a área de desenho. Recarregue a página.',
  sentTitle: 'O desenho foi enviado',
  sentText: 'Continue na tela em que abriu o documento. Nada é assinado até que escolha Assinar ali.',
  endedTitle: 'Este código já não é válido',
  endedText: 'Mostre um novo código na tela em que abriu o documento e leia esse.',
};
