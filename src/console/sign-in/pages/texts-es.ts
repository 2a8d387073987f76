import type { Texts } from './texts-en.ts';

export const spanish: Texts = {
  tagline: 'Documentos enviados a firmar y sellados.',
  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  sendLink: 'Enviarme un enlace',
  sendLinkHint: '¿No tiene contraseña o la olvidó? Inicie sesión con un enlace por correo.',
  usePasskey: 'Usar una llave de acceso',
  scriptNeeded: 'Para iniciar sesión necesita JavaScript. Actívelo en su navegador y recargue la página.',
  consoleScriptNeeded: 'La consola necesita JavaScript. Actívelo en su navegador y recargue la página.',

  askedToSign: '¿Va a firmar un documento?',
  askedToSignText: 'Abra el enlace del mensaje que recibió. Lleva a su documento. No necesita una cuenta.',
  programs: '¿Va a integrar la API?',
  programsText:
    'La referencia (en inglés) explica cómo crear, enviar y seguir un documento. Empieza con una primera solicitud para copiar.',
  reference: 'Referencia de la API',
  description: 'Descripción OpenAPI',
  verifyPdf: '¿Se selló aquí un PDF?',
  verifyText: 'Suba un PDF completado para comprobar que este servicio lo selló y que no ha cambiado.',
  verifyLink: 'Comprobar un PDF',
  operator: '¿Administra este servidor?',
  operatorText:
    'No hay servidor de correo, así que los mensajes quedan en el buzón local, que solo ve esta máquina. El primer arranque mostró un enlace para entrar. Para obtener otro:',
  mailbox: 'Buzón local',

  secondFactor: 'Un paso más',
  secondFactorText: 'Escriba el código de su aplicación de autenticación.',
  code: 'Código',
  codeHint: 'Seis cifras, o uno de sus códigos de recuperación.',
  confirm: 'Confirmar',
  startAgain: 'Entrar con otra cuenta',

  sentTitle: 'Revise su correo',
  sentText:
    'Si esta dirección es de un miembro, le hemos enviado un enlace. Funciona una sola vez, durante 10 minutos, en cualquier dispositivo.',
  sentSteps: [
    'Puede tardar un minuto en llegar. Mire también en la carpeta de correo no deseado.',
    '¿No le llegó? Quizá la dirección no sea de un miembro. Pida a un propietario o administrador de su empresa que le invite.',
  ],
  back: 'Volver al inicio de sesión',

  linkTitle: 'Entrar en Countersign',
  linkText: 'Va a iniciar sesión como',
  linkToDocument: 'Después verá el documento que debe firmar.',
  continue: 'Continuar',
  spentTitle: 'Este enlace ya no funciona',
  spentText: 'Cada enlace funciona una sola vez y por poco tiempo. Solicite uno nuevo.',
  spentSigning: '¿Va a firmar un documento? Vuelva a abrir el enlace de su mensaje y solicite allí uno nuevo.',

  signedInAs: 'Sesión iniciada como',
  noCompany: 'No es miembro de ninguna empresa. Para firmar un documento, abra el enlace de su mensaje.',
  signOut: 'Cerrar sesión',

  errorTitle: 'No podemos mostrar esta página',
  errorText: 'El servicio no está disponible. Inténtelo de nuevo dentro de un minuto.',

  script: {
    working: 'Un momento…',
    emailMissing: 'Escriba su correo electrónico.',
    passwordMissing: 'Escriba su contraseña o solicite un enlace por correo.',
    codeMissing: 'Escriba el código.',
    wrong_credentials: 'El correo electrónico o la contraseña no son correctos.',
    wrong_code: 'Este código no es correcto o ya se usó. Espere al siguiente.',
    wrong_passkey: 'No se aceptó la llave de acceso.',
    passkeyCancelled: 'No se usó ninguna llave de acceso.',
    invalid_input: 'Escriba un correo electrónico válido.',
    link_spent: 'Este enlace ha caducado o ya se usó.',
    not_signed_in: 'Ha pasado demasiado tiempo. Empiece de nuevo.',
    too_many_tries: 'Demasiados intentos. Podrá volver a intentarlo {when}.',
    tooManyHint: 'Quizá pueda entrar con un enlace por correo.',
    failed: 'Algo salió mal. Inténtelo de nuevo.',
    unreachable: 'La conexión ha fallado. Compruébela e inténtelo de nuevo.',
  },
};
