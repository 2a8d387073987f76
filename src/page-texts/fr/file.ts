import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const fileFrench: PageTexts['file'] = {
  pageOf: (number, total) => `Page ${number} sur ${total}`,
  files: 'Fichiers',
  zoom: 'Taille',
  zoomIn: 'Agrandir',
  zoomOut: 'Réduire',
  fieldTypes: {
    signature: 'Signature',
    initials: 'Paraphe',
    stamp: 'Cachet',
    date: 'Date',
    text: 'Texte',
    checkbox: 'Case à cocher',
    number: 'Nombre',
    dropdown: 'Liste',
    radio: 'Choix',
    upload: 'Fichier',
  },
  onPage: (number) => `page ${number}`,
  required: 'obligatoire',
  optional: 'facultatif',
  fixed: 'fixé par l’expéditeur',
  signingDay: 'Date de signature',
  calculated: 'calculé',
  textRule: (max) => `Saisissez au plus ${max} caractères.`,
  formatRules: {
    email: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
    phone: 'Saisissez un numéro de téléphone de 5 à 15 chiffres.',
    digits: 'Saisissez uniquement des chiffres.',
  },
  patternRule: (example) => `Écrivez-le ainsi : « ${example} ».`,
  dateRule: 'Saisissez une date dont l’année a quatre chiffres.',
  numberRule: (min, max, decimals) => {
    const kind = decimals === 0 ? 'un nombre entier' : 'un nombre';
    const from = min === null ? (max === null ? '' : ` d’au plus ${max}`) : ` d’au moins ${min}`;
    const range = min === null || max === null ? from : ` compris entre ${min} et ${max}`;
    const places = decimals ? ` avec ${decimals} ${decimals === 1 ? 'décimale' : 'décimales'} au maximum` : '';
    return `Saisissez ${kind}${range}${places}. Utilisez seulement des chiffres et une virgule ou un point décimal. Des espaces peuvent séparer les milliers.`;
  },
  unsignedFile: 'Télécharger le PDF non signé',
  whatIsLeft: 'Ce qui reste à faire',

  upload: 'Importer',
  uploadLabel: 'Fichier image',
  uploadHint:
    'Une photo ou un scan sur papier blanc : PNG, JPEG ou WebP. L’image reste sur cet appareil jusqu’à la signature.',
  signatureDialog: 'Votre signature',
  placeSignature: 'Placer la signature',
  initialsDialog: 'Votre paraphe',
  placeInitials: 'Placer le paraphe',
  stampDialog: 'Votre cachet',
  placeStamp: 'Placer le cachet',
  fieldFile: 'Fichier',
  fieldFileHint: 'PDF, PNG ou JPEG, 10 Mo au maximum. Il est conservé pour vous jusqu’à votre signature.',
  done: 'Terminé',
  initials: 'Paraphe',
  initialsHint: 'Telles que vous les écrivez, 10 caractères au maximum.',
  typedInitialsHint: 'Ce que vous avez saisi ci-dessus est placé comme paraphe.',
  typedInitialsEmpty: 'Votre paraphe s’affiche ici',
  initialsDrawingArea: 'Zone de dessin pour votre paraphe',
  remove: 'Retirer',

  handOverHeading: (recipient) => html`Remettez l’appareil à ${recipient}`,
  handOverText: (recipient) =>
    html`${recipient} signe ce document en personne, sur cet appareil. Il s’affichera dès que ${recipient} aura commencé.`,
  handOverBegin: (recipient) =>
    html`Si vous êtes ${recipient}, choisissez Commencer. Ce qui est fait à partir de là est enregistré comme fait par vous.`,
  begin: 'Commencer',
  handBack:
    'Vous pouvez maintenant rendre l’appareil. Choisissez d’abord Terminer, pour que rien du document ne reste à l’écran.',
  verifyLink: 'Vérifier qu’un PDF scellé est authentique et inchangé',

  filledInBy: (name, time) => html`${name} a signé le ${time} :`,
  ticked: 'coché',
  notTicked: 'non coché',
  chosen: 'choisi',
  drawn: 'dessiné',
  picture: 'image',

  script: {
    fieldsDone: 'Champs : {done} sur {total}',
    nameLeft: 'Il manque votre nom',
    signatureLeft: 'Il manque votre signature',
    consentLeft: 'Cochez la case pour accepter',
    next: 'Suivant',
    ready: 'Prêt à signer',
    readyApprover: 'Prêt à approuver',
    fieldMissing: 'Il reste un champ à remplir : {field}.',
    fieldsMissing: 'Il reste {count} champs à remplir. Le prochain est : {field}.',
    saved: 'Enregistré',
    notSaved: 'Pas encore enregistré : aucune connexion',
    pageOf: 'Page {number} sur {total}',
    pageFailed: 'Cette page n’a pas pu être chargée.',
    pageWithoutText: 'Cette page est une image : elle ne contient aucun texte pouvant être lu à voix haute.',
    textFailed: 'Le texte de cette page n’a pas pu être chargé.',
    placed: 'rempli',
    typed: 'Vous aviez saisi : {value}',
    unnamed: 'Un nombre',
    notYet: 'Calculé dès que ceci est rempli : {fields}.',
    leftEmpty: 'Calcul impossible, car ceci est resté vide : {fields}.',
    division: 'Calcul impossible, car il faudrait diviser par zéro.',
    tooLarge: 'Calcul impossible, car le résultat est trop grand.',
    fieldsChanged: 'Champs affichés : {shown}. Champs masqués : {hidden}.',
    initialsMissing: 'Saisissez votre paraphe, en 10 caractères au plus.',
    stampMissing: 'Choisissez une image de votre cachet.',
    uploadSending: 'Envoi du fichier…',
    uploadReceived: 'Reçu : {name}',
  },
};
