import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const filePortuguese: PageTexts['file'] = {
  pageOf: (number, total) => `Página ${number} de ${total}`,
  files: 'Ficheiros',
  zoom: 'Tamanho',
  zoomIn: 'Ampliar',
  zoomOut: 'Reduzir',
  fieldTypes: {
    signature: 'Assinatura',
    initials: 'Rubrica',
    stamp: 'Carimbo',
    date: 'Data',
    text: 'Texto',
    checkbox: 'Caixa',
    number: 'Número',
    dropdown: 'Lista',
    radio: 'Opção',
    upload: 'Arquivo',
  },
  onPage: (number) => `página ${number}`,
  required: 'obrigatório',
  optional: 'opcional',
  fixed: 'definido pelo remetente',
  signingDay: 'Data da assinatura',
  calculated: 'calculado',
  numberRule: (min, max, decimals) => {
    const kind = decimals === 0 ? 'um número inteiro' : 'um número';
    const from = min === null ? (max === null ? '' : ` de no máximo ${max}`) : ` de no mínimo ${min}`;
    const range = min === null || max === null ? from : ` entre ${min} e ${max}`;
    const places = decimals ? ` com até ${decimals} ${decimals === 1 ? 'casa decimal' : 'casas decimais'}` : '';
    return `Escreva ${kind}${range}${places}. Use apenas algarismos e uma vírgula ou um ponto decimal, sem pontos para os milhares. Espaços podem separar os milhares.`;
  },
  unsignedFile: 'Baixar o PDF não assinado',
  whatIsLeft: 'O que falta',

  upload: 'Carregar',
  uploadLabel: 'Arquivo de imagem',
  uploadHint:
    'Uma foto ou digitalização em papel branco: PNG, JPEG ou WebP. A imagem fica neste dispositivo até assinar.',
  signatureDialog: 'A sua assinatura',
  placeSignature: 'Colocar assinatura',
  initialsDialog: 'A sua rubrica',
  placeInitials: 'Colocar rubrica',
  stampDialog: 'O seu carimbo',
  placeStamp: 'Colocar carimbo',
  fieldFile: 'Arquivo',
  fieldFileHint: 'PDF, PNG ou JPEG, até 10 MB. Fica guardado para si até assinar.',
  done: 'Concluir',
  initials: 'Rubrica',
  initialsHint: 'Tal como a escreve, até 10 caracteres.',
  typedInitialsHint: 'O que escreveu acima é colocado como a sua rubrica.',
  typedInitialsEmpty: 'A sua rubrica aparece aqui',
  initialsDrawingArea: 'Área para desenhar a sua rubrica',
  remove: 'Remover',

  handOverHeading: (recipient) => html`Entregue o dispositivo a ${recipient}`,
  handOverText: (recipient) =>
    html`${recipient} assina este documento pessoalmente, neste dispositivo. O documento aparece quando ${recipient} tiver começado.`,
  handOverBegin: (recipient) =>
    html`Se você é ${recipient}, escolha Começar. O que for feito a partir daí é registrado como feito por você.`,
  begin: 'Começar',
  handBack: 'Já pode devolver o dispositivo. Antes, escolha Terminar, para que nada do documento fique na tela.',
  verifyLink: 'Verificar se um PDF selado é autêntico e inalterado',

  filledInBy: (name, time) => html`${name} assinou em ${time}:`,
  ticked: 'marcada',
  notTicked: 'não marcada',
  chosen: 'escolhida',
  drawn: 'desenhada',
  picture: 'imagem',

  script: {
    fieldsDone: 'Campos: {done} de {total}',
    nameLeft: 'Falta o seu nome',
    signatureLeft: 'Falta a sua assinatura',
    consentLeft: 'Marque a caixa para aceitar',
    next: 'Seguinte',
    ready: 'Pronto para assinar',
    readyApprover: 'Pronto para aprovar',
    fieldMissing: 'Falta preencher um campo: {field}.',
    fieldsMissing: 'Faltam {count} campos por preencher. O próximo é: {field}.',
    saved: 'Salvo',
    notSaved: 'Ainda não salvo: sem conexão',
    pageOf: 'Página {number} de {total}',
    pageFailed: 'Não foi possível carregar esta página.',
    pageWithoutText: 'Esta página é uma imagem: não contém texto que possa ser lido em voz alta.',
    textFailed: 'Não foi possível carregar o texto desta página.',
    placed: 'preenchido',
    typed: 'O que escreveu: {value}',
    unnamed: 'Um número',
    notYet: 'Calculado quando estiver preenchido: {fields}.',
    leftEmpty: 'Não é possível calcular, porque ficou vazio: {fields}.',
    division: 'Não é possível calcular, porque seria dividir por zero.',
    tooLarge: 'Não é possível calcular, porque o resultado é demasiado grande.',
    fieldsChanged: 'Campos visíveis: {shown}. Campos ocultos: {hidden}.',
    initialsMissing: 'Escreva a sua rubrica.',
    stampMissing: 'Escolha uma imagem do seu carimbo.',
    uploadSending: 'A enviar o arquivo…',
    uploadReceived: 'Recebido: {name}',
  },
};
