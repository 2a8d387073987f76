import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';
import { commentsPortuguese } from './comments.ts';
import { delegationPortuguese } from './delegation.ts';
import { filePortuguese } from './file.ts';
import { formPortuguese } from './form.ts';
import { formViewPortuguese } from './form-view.ts';
import { linkPortuguese } from './link.ts';
import { phonePortuguese } from './phone.ts';
import { savedPortuguese } from './saved.ts';

/** Worded to be understood in Brazil and in Portugal. */
export const portuguese: PageTexts = {
  name: 'Português',
  language: 'Idioma',
  numbers: { hasDecimalComma: true, groupsWithSpaces: true },
  documentTypes: {
    contract: 'Contrato',
    form: 'Formulário',
    letter: 'Carta',
    estimate: 'Orçamento',
    change_order: 'Ordem de alteração',
    invoice: 'Fatura',
    lien_waiver: 'Renúncia a privilégio creditório',
    notice_to_owner: 'Aviso ao proprietário',
    schedule_of_values: 'Mapa de valores',
    pay_app: 'Pedido de pagamento',
    coi: 'Certificado de seguro',
    license: 'Licença',
    other: 'Documento',
    w9: 'Formulário W-9',
    warranty: 'Garantia',
    completion_certificate: 'Certificado de conclusão',
    safety_acknowledgment: 'Termo de segurança',
    general: 'Documento',
    receipt: 'Recibo',
    note: 'Nota',
    check: 'Cheque',
    notice_of_commencement: 'Aviso de início de obra',
    comment_letter: 'Carta de observações',
  },

  preview: 'Pré-visualização.',
  previewMeaning: 'É isto que o destinatário verá. Nada do que fizer aqui é enviado nem salvo.',
  testMode: 'Modo de teste.',
  testModeMeaning: 'Este documento foi enviado em modo de teste: nenhum e-mail ou SMS é enviado.',
  sentBy: (sender) => html`Enviado por ${sender}`,
  messageFrom: (sender) => html`Mensagem de ${sender}`,
  recipients: 'Destinatários',
  you: 'Você',
  details: 'Dados',
  sentAt: 'Enviado',
  expiresAt: 'Expira',
  reference: 'Referência',
  personalLink: (recipient) => html`Este link destina-se apenas a ${recipient}. Por favor, não o reencaminhe.`,
  personalLinkOfSomebody: 'Este link é pessoal. Por favor, não o reencaminhe.',
  sentWith: 'Enviado com Countersign',

  recipientKind: { signer: 'Signatário', approver: 'Aprovador', cc: 'Recebe uma cópia' },
  recipientStatus: {
    signer: {
      pending: 'Ainda não solicitado',
      sent: 'Enviado',
      viewed: 'Aberto',
      signed: 'Assinado',
      declined: 'Recusado',
    },
    approver: {
      pending: 'Ainda não solicitado',
      sent: 'Enviado',
      viewed: 'Aberto',
      signed: 'Aprovado',
      declined: 'Recusado',
    },
    cc: {
      pending: 'No final',
      sent: 'Cópia enviada',
      viewed: 'Aberto',
      signed: 'Cópia enviada',
      declined: 'Recusado',
    },
  },

  signatureRequested: 'A sua assinatura é solicitada',
  approvalRequested: 'A sua aprovação é solicitada',
  start: 'Começar',
  signHeading: 'Assinar este documento',
  approveHeading: 'Aprovar este documento',
  fullName: 'Nome completo',
  fullNameHint: 'Altere-o se assinar com outro nome.',
  signatureStyle: 'Assinatura',
  type: 'Escrever',
  draw: 'Desenhar',
  typedHint: 'O nome que escreve é a sua assinatura.',
  typedEmpty: 'O seu nome aparece aqui',
  drawingArea: 'Área para desenhar a sua assinatura',
  drawHint: 'Desenhe com o dedo, uma caneta ou o mouse. Se não puder desenhar, escolha Escrever.',
  clear: 'Apagar',
  signMeaning:
    'Ao escolher Assinar, aceita assinar este documento eletronicamente. A sua assinatura eletrônica tem por objetivo vinculá-lo como uma assinatura manuscrita. O seu nome, a hora e o seu endereço IP são registrados com ela.',
  approveMeaning:
    'Ao escolher Aprovar, aceita fazê-lo eletronicamente e confirma que aprova este documento. O seu nome, a hora e o seu endereço IP são registrados.',
  signMeaningAsked:
    'Ao escolher Assinar, assina este documento. A sua assinatura eletrônica tem por objetivo vinculá-lo como uma assinatura manuscrita. O seu nome, a hora e o seu endereço IP são registrados com ela.',
  approveMeaningAsked:
    'Ao escolher Aprovar, confirma que aprova este documento. O seu nome, a hora e o seu endereço IP são registrados.',
  sign: 'Assinar',
  approve: 'Aprovar',
  decline: 'Recusar',
  declineHeading: 'Recusar assinar este documento?',
  declineHeadingApprover: 'Recusar aprovar este documento?',
  declineMeaning: (sender) =>
    html`Isto encerra o documento para todos: ninguém mais poderá assiná-lo. ${sender} verá o seu motivo.`,
  reason: 'Motivo',
  reasonHint: 'Até 1000 caracteres. Só o remetente o vê.',
  declineToSign: 'Confirmar recusa',
  cancel: 'Cancelar',

  waitingHeading: 'Ainda não é a sua vez',
  waitingText: (sender) =>
    html`Outras pessoas têm de assinar antes. Quando for a sua vez, receberá uma mensagem de ${sender}. Pode fechar esta página.`,
  codeHeading: 'Confirme a sua identidade',
  codeForDocument: (sender) =>
    html`${sender} enviou-lhe este documento. Para vê-lo, escreva o código que enviamos para o seu telefone.`,
  codeForCopy: (sender) =>
    html`Este documento de ${sender} está concluído. Para ver a sua cópia, escreva o código que enviamos para o seu telefone.`,
  codeGoesTo: (number) =>
    number === null
      ? html`O código é enviado para o número de telefone indicado pelo remetente.`
      : html`O código é enviado para o número de telefone ${number}.`,
  numberEnding: (digits) => `terminado em ${digits}`,
  codeShownHere: 'Em modo de teste não é enviado nenhum SMS: o código aparece aqui.',
  codeWrongNumber: (sender) => html`Se este não é o seu número, peça a ${sender} que o corrija.`,
  sendCode: 'Enviar código',
  code: 'Código de verificação',
  codeHint: 'Seis dígitos, válidos por 10 minutos.',
  codeNoCookie:
    'O navegador não guardou o nosso cookie, por isso o documento não pode ser mostrado aqui. Permita cookies para esta página.',
  verify: 'Verificar',
  needsAccountHeading: 'Para abrir o documento, é preciso iniciar sessão',
  needsAccountText: (sender) =>
    html`${sender} pede que inicie sessão com o seu endereço de e-mail antes de ler o documento. Não precisa de conta: um link prova que o endereço é seu.`,
  copyNeedsAccountHeading: 'Concluído: todos assinaram',
  copyNeedsAccountText: (sender) =>
    html`${sender} pede que inicie sessão com o seu endereço de e-mail antes de ler a cópia concluída. Não precisa de conta: um link prova que o endereço é seu.`,
  linkGoesTo: (address) =>
    html`O link é enviado para ${address}, funciona uma única vez e conduz de volta a este documento.`,
  linkShownHere: 'Em modo de teste não é enviado nenhum e-mail: o documento abre imediatamente.',
  linkWrongAddress: (sender) => html`Se este não é o seu endereço, peça a ${sender} que o corrija.`,
  linkNowhere: (sender) => html`${sender} não indicou um endereço de e-mail seu. Peça um novo envio com um endereço.`,
  sendLink: 'Enviar link de acesso',
  signInInstead: 'Entrar com senha ou chave de acesso',
  signedHeading: 'Você assinou este documento',
  signedText: (time) => html`A sua assinatura foi registrada em ${time}.`,
  approvedHeading: 'Você aprovou este documento',
  approvedText: (time) => html`A sua aprovação foi registrada em ${time}.`,
  othersNext:
    'Não é preciso fazer mais nada. Quando todos tiverem assinado, poderá baixar a cópia concluída nesta página.',
  completedHeading: 'Concluído: todos assinaram',
  completedText: (time) => html`O documento foi concluído em ${time}.`,
  copyReadyText:
    'O PDF selado contém o documento, as assinaturas e um certificado de quem fez o quê e quando. Qualquer alteração posterior pode ser detectada.',
  downloadCopy: 'Baixar o PDF selado',
  copyNotReadyText: 'O PDF selado está sendo preparado. Costuma demorar alguns segundos; depois o link aparece aqui.',
  copyDelayedText:
    'O PDF selado está demorando mais do que o normal, porque os operadores deste serviço precisam examiná-lo. Abra esta página novamente mais tarde.',
  copyErasedText: 'O PDF selado foi apagado e não pode mais ser baixado aqui.',
  declinedHeading: 'Você recusou assinar',
  declinedHeadingApprover: 'Você recusou aprovar',
  declinedText: (sender, time) =>
    html`Registrado em ${time}. ${sender} vê o seu motivo. Ninguém mais pode assinar este documento. Se recusou por engano, contate ${sender}.`,
  yourReason: 'O seu motivo',
  declinedByOtherHeading: 'Este documento foi recusado',
  declinedByOtherText: (sender, time) =>
    html`Um destinatário recusou em ${time}, por isso ninguém mais pode assiná-lo. Em caso de dúvida, contate ${sender}.`,
  voidedHeading: 'Este documento foi anulado',
  voidedText: (sender) =>
    html`${sender} anulou-o, por isso já não pode ser assinado. Em caso de dúvida, contate ${sender}.`,
  voidedReason: 'Motivo indicado',
  expiredHeading: 'Este documento expirou',
  expiredText: (sender, time) =>
    html`Podia ser assinado até ${time}. Se ainda for necessário, peça a ${sender} que o envie novamente.`,
  copyHeading: 'Receberá uma cópia',
  copyText: 'Não precisa assinar nada. Quando todos tiverem assinado, receberá a cópia concluída.',
  finish: 'Terminar',
  finishHint: 'Se outras pessoas usam este dispositivo, escolha Terminar: a página é limpa.',
  finishHintInPerson: 'Terminar limpa esta página para a próxima pessoa neste dispositivo.',

  signedAs: (name, time) => html`Assinado como ${name} em ${time}`,

  unknownLinkTitle: 'Este link não funciona',
  unknownLinkText: 'Pode estar incompleto ou ter sido substituído por um mais recente.',
  unknownLinkSteps: [
    'Abra a mensagem mais recente sobre este documento e use o link que ela contém.',
    'Se copiou o link, verifique se está completo: alguns programas de e-mail cortam links longos.',
    'Se continuar sem funcionar, peça ao remetente que envie o documento novamente.',
  ],
  reassignedLinkTitle: 'Este link já não funciona',
  reassignedLinkText: (sender) =>
    html`Foi pedido a outra pessoa que assinasse o documento de ${sender}, por isso este link terminou.`,
  reassignedLinkSteps: (sender) => [
    html`Se recebeu uma mensagem mais recente sobre este documento, use o link que ela contém.`,
    html`Caso contrário, não precisa fazer nada. Em caso de dúvida, contate ${sender}.`,
  ],
  unknownAddressTitle: 'Página não encontrada',
  unknownAddressText:
    'O endereço pode estar incompleto ou mal escrito. Se queria assinar algo, use o link da mensagem mais recente.',
  startPage: 'Ir para a página inicial',
  throttledTitle: 'Pedidos demais',
  throttledText:
    'A sua rede está enviando solicitações demais neste momento. Nada se perdeu. Aguarde um minuto e tente novamente.',
  errorTitle: 'Não é possível mostrar esta página agora',
  errorText:
    'O serviço não está acessível no momento. Nada do que já estava registrado se perdeu. Tente novamente dentro de um minuto.',
  tryAgain: 'Tentar novamente',

  file: filePortuguese,
  form: formPortuguese,
  formView: formViewPortuguese,
  delegation: delegationPortuguese,
  comments: commentsPortuguese,
  saved: savedPortuguese,
  link: linkPortuguese,
  phone: phonePortuguese,

  script: {
    refusals: {
      preview_only:
        'Isto é uma pré-visualização, por isso nada foi registrado. Depois de enviar o documento, o destinatário assina ou recusa aqui.',
      already_signed: 'Você já assinou este documento. Nada mais foi registrado.',
      already_declined: 'Você já recusou este documento. Nada mais foi registrado.',
      document_voided: 'O remetente anulou este documento, por isso nada foi registrado.',
      document_declined: 'Outro destinatário recusou este documento, por isso nada foi registrado.',
      document_expired: 'Este documento expirou, por isso nada foi registrado.',
      document_completed: 'Este documento já está concluído. Nada mais foi registrado.',
      not_your_turn: 'Ainda não é a sua vez, por isso nada foi registrado.',
      link_unknown: 'Este link já não funciona, por isso nada foi registrado. Recarregue a página para ver o motivo.',
      page_moved:
        'Esta página tem um novo endereço, por isso nada foi registrado. Abra-a novamente e escreva o que falta.',
      invalid_full_name: 'Este nome não pode ser usado. Escreva o seu nome completo, com até 120 caracteres.',
      invalid_signature: 'A assinatura não se vê ou não pode ser lida. Desenhe-a novamente, ou escolha Escrever.',
      consent_required: 'Marque a caixa para aceitar antes de continuar.',
      saved_unavailable:
        'A sua assinatura guardada foi alterada ou removida, ou a sessão terminou. Recarregue a página ou faça uma nova assinatura.',
      invalid_reason: 'Escreva um motivo de 1 a 1000 caracteres.',
      fields_missing: 'Um campo obrigatório está vazio, por isso nada foi registrado.',
      file_type_refused: 'Este arquivo não pode ser usado. Escolha um arquivo PDF, PNG ou JPEG.',
      file_too_large: 'Este arquivo é grande demais. Escolha um de até 10 MB.',
      too_many_uploads: 'Enviou arquivos demais. Tente de novo daqui a uma hora.',
      invalid_field: 'O valor não pode ser usado. Verifique-o e tente novamente.',
      verification_required:
        'A verificação expirou, por isso nada foi registrado. Confirme novamente a sua identidade.',
      invalid_code:
        'Este código não abre o documento. Verifique a mensagem mais recente ou escolha Enviar código para receber outro.',
      too_many_codes: 'Não é possível enviar mais códigos agora.',
      code_not_sent:
        'Não foi possível enviar o código. Tente novamente; se voltar a falhar, peça ao remetente que verifique o número.',
      too_many_links: 'Não é possível enviar mais links agora.',
      link_not_sent:
        'Não foi possível enviar o link. Tente novamente; se voltar a falhar, peça ao remetente que verifique o endereço.',
      temporarily_unavailable:
        'O serviço não está acessível no momento. O que escreveu continua aqui. Tente novamente.',
    },
    connectionFailed: 'A conexão falhou. O que escreveu continua aqui. Verifique a conexão e tente novamente.',
    somethingFailed: 'Algo deu errado. O que escreveu continua aqui. Tente novamente.',
    recording: 'Registrando…',
    codeSending: 'Enviando o código…',
    codeSent: 'O código está a caminho. Pode demorar um minuto a chegar.',
    codeShown: 'Modo de teste: o seu código é {code}.',
    codeNext: 'Foram enviados cinco códigos numa hora. Poderá receber o próximo {when}.',
    codeChecking: 'Verificando o código…',
    linkSending: 'Enviando o link…',
    linkSent: 'O link está a caminho. Pode demorar um minuto a chegar e funciona por 10 minutos.',
    linkNext: 'Foram enviados cinco links numa hora. Poderá receber o próximo {when}.',
    codeMissing: 'Escreva os seis dígitos do código.',
    nameMissing: 'Escreva o seu nome completo.',
    reasonMissing: 'Escreva um motivo.',
    drawingMissing: 'Desenhe a sua assinatura ou escolha Escrever.',
    drawingUnavailable: 'Não foi possível carregar a área de desenho. Escolha Escrever ou abra Desenhar novamente.',
    drawingCleared: 'Desenho apagado.',
    phoneWaiting: 'Aguardando o telefone.',
    phoneOpened: 'O telefone está pronto. Desenhe nele.',
    phoneDrawn: 'O desenho do telefone chegou.',
    phoneEnded: 'Este código já não é válido. Mostre um novo.',
    uploadMissing: 'Escolha uma imagem ou escolha Escrever.',
    uploadUnreadable: 'Não foi possível ler este arquivo como imagem. Escolha um arquivo PNG, JPEG ou WebP.',
    tryAgain: 'Tentar novamente',
    showStatus: 'Ver o estado atual',
    closedTitle: 'Pode fechar esta página',
    closedText: 'Já pode fechar esta página. Ela não mostra mais nada do documento.',
    newSignature: 'Outra pessoa acabou de assinar. A página já o mostra.',
    handBackText: 'Por favor, devolva o dispositivo. Ele não mostra mais nada do documento.',
  },
};
