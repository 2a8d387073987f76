import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';
import { commentsFrench } from './comments.ts';
import { delegationFrench } from './delegation.ts';
import { fileFrench } from './file.ts';
import { formFrench } from './form.ts';
import { formViewFrench } from './form-view.ts';
import { linkFrench } from './link.ts';
import { phoneFrench } from './phone.ts';
import { savedFrench } from './saved.ts';

export const french: PageTexts = {
  name: 'Français',
  language: 'Langue',
  numbers: { hasDecimalComma: true, groupsWithSpaces: true },
  documentTypes: {
    contract: 'Contrat',
    form: 'Formulaire',
    letter: 'Lettre',
    estimate: 'Devis',
    change_order: 'Avenant',
    invoice: 'Facture',
    lien_waiver: 'Renonciation à privilège',
    notice_to_owner: 'Avis au propriétaire',
    schedule_of_values: 'Décomposition du prix',
    pay_app: 'Demande de paiement',
    coi: 'Attestation d’assurance',
    license: 'Licence',
    other: 'Document',
    w9: 'Formulaire W-9',
    warranty: 'Garantie',
    completion_certificate: 'Certificat d’achèvement',
    safety_acknowledgment: 'Attestation de sécurité',
    general: 'Document',
    receipt: 'Reçu',
    note: 'Note',
    check: 'Chèque',
    notice_of_commencement: 'Avis de début des travaux',
    comment_letter: 'Lettre d’observations',
  },

  preview: 'Aperçu.',
  previewMeaning: 'Voici ce que verra le destinataire. Rien de ce que vous faites ici n’est envoyé ni enregistré.',
  testMode: 'Mode test.',
  testModeMeaning: 'Ce document a été envoyé en mode test : aucun e-mail ni SMS ne part.',
  sentBy: (sender) => html`Envoyé par ${sender}`,
  messageFrom: (sender) => html`Message de ${sender}`,
  recipients: 'Destinataires',
  you: 'Vous',
  details: 'Informations',
  sentAt: 'Envoyé',
  expiresAt: 'Expire',
  reference: 'Référence',
  personalLink: (recipient) => html`Ce lien est destiné uniquement à ${recipient}. Merci de ne pas le transférer.`,
  personalLinkOfSomebody: 'Ce lien est personnel. Merci de ne pas le transférer.',
  sentWith: 'Envoyé avec Countersign',

  recipientKind: { signer: 'Signataire', approver: 'Approbateur', cc: 'Reçoit une copie' },
  recipientStatus: {
    signer: {
      pending: 'Pas encore sollicité',
      sent: 'Envoyé',
      viewed: 'Ouvert',
      signed: 'Signé',
      declined: 'Refusé',
    },
    approver: {
      pending: 'Pas encore sollicité',
      sent: 'Envoyé',
      viewed: 'Ouvert',
      signed: 'Approuvé',
      declined: 'Refusé',
    },
    cc: {
      pending: 'À la fin',
      sent: 'Copie envoyée',
      viewed: 'Ouvert',
      signed: 'Copie envoyée',
      declined: 'Refusé',
    },
  },

  signatureRequested: 'Votre signature est demandée',
  approvalRequested: 'Votre approbation est demandée',
  start: 'Commencer',
  signHeading: 'Signer ce document',
  approveHeading: 'Approuver ce document',
  fullName: 'Nom complet',
  fullNameHint: 'Modifiez-le si vous signez sous un autre nom.',
  signatureStyle: 'Signature',
  type: 'Saisir',
  draw: 'Dessiner',
  typedHint: 'Le nom que vous saisissez est votre signature.',
  typedEmpty: 'Votre nom s’affiche ici',
  drawingArea: 'Zone de dessin pour votre signature',
  drawHint: 'Dessinez avec le doigt, un stylet ou la souris. Si vous ne pouvez pas dessiner, choisissez Saisir.',
  clear: 'Effacer',
  signMeaning:
    'En choisissant Signer, vous acceptez de signer ce document électroniquement. Votre signature électronique est destinée à vous engager comme une signature manuscrite. Votre nom, l’heure et votre adresse IP sont enregistrés avec elle.',
  approveMeaning:
    'En choisissant Approuver, vous acceptez la voie électronique et confirmez que vous approuvez ce document. Votre nom, l’heure et votre adresse IP sont enregistrés.',
  signMeaningAsked:
    'En choisissant Signer, vous signez ce document. Votre signature électronique est destinée à vous engager comme une signature manuscrite. Votre nom, l’heure et votre adresse IP sont enregistrés avec elle.',
  approveMeaningAsked:
    'En choisissant Approuver, vous confirmez que vous approuvez ce document. Votre nom, l’heure et votre adresse IP sont enregistrés.',
  sign: 'Signer',
  approve: 'Approuver',
  decline: 'Refuser',
  declineHeading: 'Refuser de signer ce document ?',
  declineHeadingApprover: 'Refuser d’approuver ce document ?',
  declineMeaning: (sender) =>
    html`Cela met fin au document pour tous : plus personne ne pourra le signer. ${sender} verra votre motif.`,
  reason: 'Motif',
  reasonHint: '1000 caractères au maximum. Seul l’expéditeur le voit.',
  declineToSign: 'Confirmer le refus',
  cancel: 'Annuler',

  waitingHeading: 'Ce n’est pas encore votre tour',
  waitingText: (sender) =>
    html`D’autres personnes doivent signer avant vous. Vous recevrez un message de ${sender} quand ce sera votre tour. Vous pouvez fermer cette page.`,
  codeHeading: 'Confirmez votre identité',
  codeForDocument: (sender) =>
    html`${sender} vous a envoyé ce document. Pour le consulter, saisissez le code que nous envoyons sur votre téléphone.`,
  codeForCopy: (sender) =>
    html`Ce document de ${sender} est terminé. Pour consulter votre copie, saisissez le code que nous envoyons sur votre téléphone.`,
  codeGoesTo: (number) =>
    number === null
      ? html`Le code est envoyé au numéro de téléphone indiqué par l’expéditeur.`
      : html`Le code est envoyé au numéro de téléphone ${number}.`,
  numberEnding: (digits) => `se terminant par ${digits}`,
  codeShownHere: 'En mode test, aucun SMS n’est envoyé : le code s’affiche ici.',
  codeWrongNumber: (sender) => html`Si ce n’est pas votre numéro, demandez à ${sender} de le corriger.`,
  sendCode: 'Envoyer le code',
  code: 'Code de vérification',
  codeHint: 'Six chiffres, valable 10 minutes.',
  codeNoCookie:
    'Votre navigateur n’a pas conservé notre cookie ; le document ne peut donc pas être affiché ici. Autorisez les cookies pour cette page.',
  verify: 'Vérifier',
  needsAccountHeading: 'Une connexion est requise pour ouvrir ce document',
  needsAccountText: (sender) =>
    html`${sender} demande que vous vous connectiez avec votre adresse e-mail avant de lire ce document. Aucun compte n’est nécessaire : un lien prouve que l’adresse est la vôtre.`,
  copyNeedsAccountHeading: 'Terminé : tout le monde a signé',
  copyNeedsAccountText: (sender) =>
    html`${sender} demande que vous vous connectiez avec votre adresse e-mail avant de lire la copie finale. Aucun compte n’est nécessaire : un lien prouve que l’adresse est la vôtre.`,
  linkGoesTo: (address) => html`Le lien est envoyé à ${address}, fonctionne une seule fois et ramène à ce document.`,
  linkShownHere: 'En mode test, aucun e-mail n’est envoyé : le document s’ouvre aussitôt.',
  linkWrongAddress: (sender) => html`Si ce n’est pas votre adresse, demandez à ${sender} de la corriger.`,
  linkNowhere: (sender) =>
    html`${sender} n’a indiqué aucune adresse e-mail pour vous. Demandez un nouvel envoi qui en comporte une.`,
  sendLink: 'Envoyer le lien de connexion',
  signInInstead: 'Se connecter avec un mot de passe ou une clé d’accès',
  signedHeading: 'Vous avez signé ce document',
  signedText: (time) => html`Votre signature a été enregistrée le ${time}.`,
  approvedHeading: 'Vous avez approuvé ce document',
  approvedText: (time) => html`Votre approbation a été enregistrée le ${time}.`,
  othersNext:
    'Vous n’avez plus rien à faire. Quand tout le monde aura signé, vous pourrez télécharger la copie finale depuis cette page.',
  completedHeading: 'Terminé : tout le monde a signé',
  completedText: (time) => html`Le document a été finalisé le ${time}.`,
  copyReadyText:
    'Le PDF scellé contient le document, les signatures et un certificat indiquant qui a fait quoi et quand. Toute modification ultérieure peut être détectée.',
  downloadCopy: 'Télécharger le PDF scellé',
  copyNotReadyText:
    'Le PDF scellé est en préparation. Cela prend en général quelques secondes ; le lien apparaîtra ici.',
  copyDelayedText:
    'Le PDF scellé prend plus de temps que d’habitude, car les exploitants de ce service doivent l’examiner. Rouvrez cette page plus tard.',
  copyErasedText: 'Le PDF scellé a été effacé et ne peut plus être téléchargé ici.',
  declinedHeading: 'Vous avez refusé de signer',
  declinedHeadingApprover: 'Vous avez refusé d’approuver',
  declinedText: (sender, time) =>
    html`Enregistré le ${time}. ${sender} voit votre motif. Plus personne ne peut signer ce document. Si vous avez refusé par erreur, contactez ${sender}.`,
  yourReason: 'Votre motif',
  declinedByOtherHeading: 'Ce document a été refusé',
  declinedByOtherText: (sender, time) =>
    html`Un destinataire a refusé le ${time} ; plus personne ne peut donc le signer. Pour toute question, contactez ${sender}.`,
  voidedHeading: 'Ce document a été annulé',
  voidedText: (sender) =>
    html`${sender} l’a annulé ; il ne peut donc plus être signé. Pour toute question, contactez ${sender}.`,
  voidedReason: 'Motif indiqué',
  expiredHeading: 'Ce document a expiré',
  expiredText: (sender, time) =>
    html`Il pouvait être signé jusqu’au ${time}. S’il est encore utile, demandez à ${sender} de le renvoyer.`,
  copyHeading: 'Vous recevez une copie',
  copyText: 'Vous n’avez rien à signer. Quand tout le monde aura signé, vous recevrez la copie finale.',
  finish: 'Terminer',
  finishHint: 'Si d’autres personnes utilisent cet appareil, choisissez Terminer : la page est effacée.',
  finishHintInPerson: 'Terminer efface cette page pour la personne suivante sur cet appareil.',

  signedAs: (name, time) => html`Signé sous le nom ${name} le ${time}`,

  unknownLinkTitle: 'Ce lien ne fonctionne pas',
  unknownLinkText: 'Il est peut-être incomplet, ou un lien plus récent l’a remplacé.',
  unknownLinkSteps: [
    'Ouvrez le message le plus récent au sujet de ce document et utilisez le lien qu’il contient.',
    'Si vous avez copié le lien, vérifiez qu’il est complet : certains logiciels de messagerie coupent les longs liens.',
    'S’il ne fonctionne toujours pas, demandez à l’expéditeur de renvoyer le document.',
  ],
  reassignedLinkTitle: 'Ce lien ne fonctionne plus',
  reassignedLinkText: (sender) =>
    html`Une autre personne a été invitée à signer le document de ${sender} ; ce lien n’est donc plus valable.`,
  reassignedLinkSteps: (sender) => [
    html`Si vous avez reçu un message plus récent au sujet de ce document, utilisez le lien qu’il contient.`,
    html`Sinon, vous n’avez rien à faire. Pour toute question, contactez ${sender}.`,
  ],
  unknownAddressTitle: 'Page introuvable',
  unknownAddressText:
    'L’adresse est peut-être incomplète ou mal saisie. Si vous veniez signer un document, utilisez le lien du message le plus récent à ce sujet.',
  startPage: 'Aller à la page d’accueil',
  throttledTitle: 'Trop de requêtes',
  throttledText:
    'Trop de requêtes proviennent de votre réseau en ce moment. Rien n’est perdu. Attendez une minute, puis réessayez.',
  errorTitle: 'Cette page ne peut pas être affichée pour le moment',
  errorText:
    'Le service est injoignable pour le moment. Rien de ce qui était déjà enregistré n’est perdu. Réessayez dans une minute.',
  tryAgain: 'Réessayer',

  file: fileFrench,
  form: formFrench,
  formView: formViewFrench,
  delegation: delegationFrench,
  comments: commentsFrench,
  saved: savedFrench,
  link: linkFrench,
  phone: phoneFrench,

  script: {
    refusals: {
      preview_only:
        'Ceci est un aperçu : rien n’a été enregistré. Une fois le document envoyé, le destinataire signe ou refuse ici.',
      already_signed: 'Vous avez déjà signé ce document. Rien d’autre n’a été enregistré.',
      already_declined: 'Vous avez déjà refusé ce document. Rien d’autre n’a été enregistré.',
      document_voided: 'L’expéditeur a annulé ce document ; rien n’a donc été enregistré.',
      document_declined: 'Un autre destinataire a refusé ce document ; rien n’a donc été enregistré.',
      document_expired: 'Ce document a expiré ; rien n’a donc été enregistré.',
      document_completed: 'Ce document est déjà finalisé. Rien d’autre n’a été enregistré.',
      not_your_turn: 'Ce n’est pas encore votre tour ; rien n’a donc été enregistré.',
      link_unknown:
        'Ce lien ne fonctionne plus ; rien n’a donc été enregistré. Rechargez la page pour savoir pourquoi.',
      page_moved:
        'Cette page a une nouvelle adresse ; rien n’a donc été enregistré. Rouvrez-la et saisissez ce qui manque.',
      invalid_full_name: 'Ce nom ne peut pas être utilisé. Saisissez votre nom complet, de 120 caractères au maximum.',
      invalid_signature: 'Votre signature est invisible ou illisible. Dessinez-la de nouveau, ou choisissez Saisir.',
      consent_required: 'Cochez la case pour accepter avant de continuer.',
      saved_unavailable:
        'Votre signature enregistrée a été modifiée ou supprimée, ou vous êtes déconnecté. Rechargez la page ou faites une nouvelle signature.',
      invalid_reason: 'Saisissez un motif de 1 à 1000 caractères.',
      fields_missing: 'Un champ obligatoire est vide ; rien n’a donc été enregistré.',
      file_type_refused: 'Ce fichier ne peut pas être utilisé. Choisissez un fichier PDF, PNG ou JPEG.',
      file_too_large: 'Ce fichier est trop volumineux. Choisissez-en un de 10 Mo au maximum.',
      too_many_uploads: 'Vous avez envoyé trop de fichiers. Réessayez dans une heure.',
      invalid_field: 'Cette valeur ne peut pas être utilisée. Vérifiez-la et réessayez.',
      verification_required:
        'Votre vérification a expiré ; rien n’a donc été enregistré. Confirmez de nouveau votre identité.',
      invalid_code:
        'Ce code n’ouvre pas le document. Vérifiez le message le plus récent ou choisissez Envoyer le code pour en recevoir un nouveau.',
      too_many_codes: 'Aucun autre code ne peut être envoyé pour le moment.',
      code_not_sent:
        'Le code n’a pas pu être envoyé. Réessayez ; si cela échoue encore, demandez à l’expéditeur de vérifier le numéro.',
      too_many_links: 'Aucun autre lien ne peut être envoyé pour le moment.',
      link_not_sent:
        'Le lien n’a pas pu être envoyé. Réessayez ; si cela échoue encore, demandez à l’expéditeur de vérifier l’adresse.',
      temporarily_unavailable:
        'Le service est injoignable pour le moment. Votre saisie est toujours là. Veuillez réessayer.',
    },
    connectionFailed: 'La connexion a échoué. Votre saisie est toujours là. Vérifiez votre connexion et réessayez.',
    somethingFailed: 'Un problème est survenu. Votre saisie est toujours là. Veuillez réessayer.',
    recording: 'Enregistrement…',
    codeSending: 'Envoi du code…',
    codeSent: 'Le code est en route. Il peut mettre une minute à arriver.',
    codeShown: 'Mode test : votre code est {code}.',
    codeNext: 'Cinq codes ont été envoyés en une heure. Vous pourrez recevoir le prochain {when}.',
    codeChecking: 'Vérification du code…',
    linkSending: 'Envoi du lien…',
    linkSent: 'Le lien est en route. Il peut mettre une minute à arriver et fonctionne pendant 10 minutes.',
    linkNext: 'Cinq liens ont été envoyés en une heure. Vous pourrez recevoir le prochain {when}.',
    codeMissing: 'Saisissez les six chiffres du code.',
    nameMissing: 'Saisissez votre nom complet.',
    reasonMissing: 'Saisissez un motif.',
    drawingMissing: 'Dessinez votre signature ou choisissez Saisir.',
    drawingUnavailable: 'La zone de dessin n’a pas pu être chargée. Choisissez Saisir ou rouvrez Dessiner.',
    drawingCleared: 'Dessin effacé.',
    phoneWaiting: 'En attente de votre téléphone.',
    phoneOpened: 'Votre téléphone est prêt. Dessinez dessus.',
    phoneDrawn: 'Le dessin de votre téléphone est arrivé.',
    phoneEnded: 'Ce code n’est plus valable. Affichez-en un nouveau.',
    uploadMissing: 'Choisissez une image ou choisissez Saisir.',
    uploadUnreadable: 'Ce fichier n’a pas pu être lu comme image. Choisissez un fichier PNG, JPEG ou WebP.',
    tryAgain: 'Réessayer',
    showStatus: 'Afficher l’état actuel',
    closedTitle: 'Vous pouvez fermer cette page',
    closedText: 'Vous pouvez maintenant fermer cette page. Elle n’affiche plus rien du document.',
    newSignature: 'Une autre personne vient de signer. La page l’affiche maintenant.',
    handBackText: 'Veuillez rendre l’appareil. Il n’affiche plus rien du document.',
  },
};
