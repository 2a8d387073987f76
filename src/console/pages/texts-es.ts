import type { Texts } from './texts-en.ts';

export const spanish: Texts = {
  tagline: 'Documentos enviados a firmar y sellados.',
  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  sendLink: 'Enviarme un enlace',
  sendLinkHint: '¿Sin contraseña, o la olvidó? También puede entrar con un enlace por correo.',
  usePasskey: 'Usar una llave de acceso',
  scriptNeeded: 'Para iniciar sesión hace falta JavaScript. Actívelo en su navegador y vuelva a cargar la página.',
  consoleScriptNeeded: 'La consola necesita JavaScript. Actívelo en su navegador y vuelva a cargar la página.',

  askedToSign: '¿Va a firmar un documento?',
  askedToSignText:
    'Abra el enlace del mensaje que recibió. Lleva a su documento y es solo para usted: no necesita una cuenta.',
  programs: '¿Va a integrar la API?',
  programsText:
    'La referencia (en inglés) explica cómo crear un documento, enviarlo y seguirlo, desde una primera petición para copiar.',
  reference: 'Referencia de la API',
  description: 'Descripción OpenAPI',
  verifyPdf: '¿Se selló aquí un PDF?',
  verifyText: 'Suelte un PDF completado y vea si este servicio lo selló y si se ha modificado.',
  verifyLink: 'Comprobar un PDF',
  operator: '¿Administra este servidor?',
  operatorText:
    'No hay servidor de correo, así que los mensajes quedan en el buzón local, que solo ve esta máquina. El primer arranque mostró un enlace para entrar; con esto se obtiene otro:',
  mailbox: 'Buzón local',

  secondFactor: 'Un paso más',
  secondFactorText: 'Escriba el código que muestra su aplicación de autenticación.',
  code: 'Código',
  codeHint: 'Seis cifras, o uno de sus códigos de recuperación.',
  confirm: 'Confirmar',
  startAgain: 'Entrar con otra cuenta',

  sentTitle: 'Revise su correo',
  sentText:
    'Si esta dirección pertenece a un miembro, un enlace para entrar va en camino. Funciona una sola vez, durante 10 minutos, en cualquier dispositivo.',
  sentSteps: [
    'Puede tardar un minuto en llegar. Mire también en la carpeta de correo no deseado.',
    '¿No llega nada? Quizá la dirección no sea de un miembro: pida a un propietario o administrador de su empresa que le invite.',
  ],
  back: 'Volver al inicio de sesión',

  linkTitle: 'Entrar en Countersign',
  linkText: 'Va a iniciar sesión como',
  linkToDocument: 'Después verá el documento que le pidieron firmar.',
  continue: 'Continuar',
  spentTitle: 'Este enlace ya no funciona',
  spentText: 'Cada enlace sirve una sola vez y por un tiempo. Pida otro: es cosa de un minuto.',
  spentSigning:
    '¿Va a firmar un documento? Abra otra vez el enlace del mensaje que lo anunciaba y pida allí un enlace nuevo.',

  signedInAs: 'Sesión iniciada como',
  noCompany:
    'Usted no es miembro de ninguna empresa aquí. Para firmar un documento, abra el enlace del mensaje que lo anunciaba.',
  signOut: 'Cerrar sesión',

  errorTitle: 'Esta página no se puede mostrar ahora',
  errorText: 'No se puede acceder al servicio en este momento. Inténtelo de nuevo dentro de un minuto.',

  script: {
    working: 'Un momento…',
    emailMissing: 'Escriba su correo electrónico.',
    passwordMissing: 'Escriba su contraseña, o pida que se le envíe un enlace.',
    codeMissing: 'Escriba el código.',
    wrong_credentials: 'El correo electrónico o la contraseña no son correctos.',
    wrong_code: 'Este código no es correcto o ya se usó. Espere al siguiente.',
    wrong_passkey: 'Esta llave de acceso no se aceptó.',
    passkeyCancelled: 'No se usó ninguna llave de acceso.',
    invalid_input: 'Esto no es una dirección de correo electrónico.',
    link_spent: 'Este enlace ya se usó o ha caducado.',
    not_signed_in: 'Ha pasado demasiado tiempo. Vuelva a iniciar sesión desde el principio.',
    too_many_tries: 'Demasiados intentos. Podrá volver a intentarlo {when}.',
    tooManyHint: 'Quizá pueda entrar con un enlace por correo.',
    failed: 'Algo ha fallado. Inténtelo de nuevo.',
    unreachable: 'La conexión ha fallado. Compruébela e inténtelo de nuevo.',
  },
};
