import type { PageTexts } from '../page-texts.ts';

export const formViewPortuguese: PageTexts['formView'] = {
  offer: 'Também pode preencher os seus campos numa lista.',
  open: 'Preencher como formulário',
  invite: 'O que introduzir aqui aparece também nas páginas. Leia o documento antes de assinar.',
  read: 'Ler todo o documento',
  show: 'Mostrar no documento',
  back: 'Voltar ao formulário',
  others: 'Preenchido por outras pessoas',
  empty: 'Este campo ainda está vazio.',
  tick: 'Assinale esta caixa.',
  choose: 'Escolha uma opção.',
};
