import type { Texts } from './texts-en.ts';

export const textsEs: Texts = {
  findings: {
    is_pdf: () => 'El archivo es un PDF.',
    recorded_here: () => 'Este servicio selló este archivo: su SHA-256 es el que se registró entonces.',
    whole_file_covered: ({ bytes }) => `El sello abarca todo el archivo, sus ${bytes} bytes.`,
    bytes_unchanged: () => 'No ha cambiado ni un byte de lo que abarca el sello.',
    signature_holds: () => 'La firma digital es correcta.',
    certificate_bound: () => 'La firma nombra su certificado, de modo que no puede sustituirse por otro.',
    sealed_here: ({ subject, fingerprint }) =>
      `Sellado con el certificado de este servicio: ${subject}, ${fingerprint}.`,
    certificate_in_validity: () => 'El certificado era válido cuando se hizo el sello.',
    time_stamped: ({ at, authority }) =>
      `Una autoridad de sellado de tiempo (${authority}) da fe de que el sello existía el ${at}.`,
    audit_trail_intact: ({ entries, hash }) =>
      `El registro de auditoría incluido está completo: ${entries} entradas, cada una encadenada a la anterior; la última, ${hash}.`,
    content_as_sent: () =>
      'Lo que se firmó es lo que se envió: el resumen registrado entonces es el del contenido incluido.',
    changes_forbidden: () =>
      'El sello prohíbe todo cambio posterior: cualquiera se muestra en un lector de PDF que compruebe firmas.',
    file_as_attached: ({ file }) => `El archivo adjunto (${file}) está incluido byte por byte tal como se envió.`,
    earlier_signatures_hold: ({ signatures }) =>
      `El archivo llevaba ${signatures} ${signatures === 1 ? 'firma digital' : 'firmas digitales'} antes de sellarse: lo que abarcan no ha cambiado.`,
    values_as_signed: ({ fields }) =>
      `Lo que se rellenó (${fields} ${fields === 1 ? 'campo' : 'campos'}) es lo que firmó cada parte: su resumen en el registro de auditoría es el de los valores incluidos.`,

    no_time_stamp: () => 'No hay sello de tiempo: la hora del sello es la que indicó el servicio que lo hizo.',
    time_stamp_unverified: ({ at, authority }) =>
      `El sello de tiempo (${at}, ${authority}) no está verificado: cualquiera puede crear uno igual y este servicio no confía en su autoridad para esa hora.`,
    contents_unreadable: () =>
      'No se pudo comprobar parte del contenido. Aun así, el archivo es el sellado, byte por byte.',
    no_audit_trail: () => 'No incluye un registro de auditoría.',
    signature_unconfirmed: () =>
      'Este sello es de una versión antigua y este servicio no tiene constancia del archivo. Lo firmado no ha cambiado. Alguien podría haber reescrito la propia firma en su otra forma válida: verifique el archivo donde se selló.',
    structure_repaired: () => 'La tabla de las partes del archivo está dañada y hubo que reconstruirla.',
    has_xfa: () => 'El archivo tiene un formulario XFA, que algunos lectores muestran en lugar de sus páginas.',
    file_rewritten: ({ file }) =>
      `El archivo adjunto (${file}) estaba cifrado o dañado y hubo que escribirlo de nuevo, así que su resumen no puede recalcularse a partir de este archivo.`,
    earlier_signature_broken: () =>
      'No se puede confirmar una firma digital que el archivo llevaba antes de sellarse. El sello no dice nada de ella.',
    no_values: () =>
      'Lo que se rellenó está solo en las páginas: sus resúmenes del registro de auditoría no pueden recalcularse a partir de este archivo.',

    other_certificate: ({ subject, fingerprint }) =>
      `Firmado con un certificado que no es de este servicio: ${subject}, ${fingerprint}.`,
    certificate_of_same_name: ({ subject, fingerprint }) =>
      `Firmado con otro certificado, que solo lleva el nombre del de este servicio: ${subject}, ${fingerprint}.`,
    certificate_unknown: ({ subject, fingerprint }) =>
      `Firmado por ${subject}, huella ${fingerprint}, de quien esta máquina no puede responder: no conoce ningún certificado del servicio.`,
    certificate_out_of_validity: () => 'El certificado no era válido cuando se hizo la firma.',
    foreign_signature: () => 'La firma es de otra clase que las de este servicio.',

    bytes_changed: () =>
      'El archivo se modificó después de sellarlo: sus bytes no son aquellos sobre los que se hizo la firma.',
    bytes_appended: ({ bytes }) => `Se añadieron ${bytes} bytes después del sello.`,
    update_appended: ({ bytes }) =>
      `Después del sello se añadió un cambio de ${bytes} bytes: lo que se muestra puede no ser lo que se selló.`,
    truncated: ({ bytes }) => `Falta el final del archivo: ${bytes} bytes que abarca el sello.`,
    byte_range_altered: () =>
      'El sello no abarca el archivo como lo hace un sello de este servicio: se alteró su alcance.',
    signature_damaged: () => 'Se modificó la propia firma: no se puede leer como una de este servicio.',
    signature_broken: () => 'La firma no es correcta: no se hizo con la clave del certificado que nombra.',
    signature_room_used: () => 'Se escribió algo en el espacio que la firma había dejado vacío.',
    not_as_recorded: () => 'El archivo no es el que se registró al sellar su documento.',
    certificate_not_bound: () => 'El certificado incluido no es el que nombra la firma.',
    time_stamp_broken: () => 'El sello de tiempo no es correcto.',
    seal_disconnected: () => 'Hay un sello en el archivo, pero el documento ya no hace referencia a él.',
    structure_damaged: () => 'La estructura del archivo está dañada, por lo que no se pueden leer sus partes.',
    audit_trail_unreadable: () => 'No se puede leer el registro de auditoría incluido.',
    audit_trail_broken: ({ entry }) =>
      `Se alteró el registro de auditoría incluido: la entrada ${entry} no se sigue de la anterior.`,
    content_not_as_sent: () => 'El contenido incluido no es el que se envió según el registro de auditoría.',
    signature_not_in_trail: ({ party }) => `Según el registro de auditoría incluido, ${party} no firmó ni aprobó.`,
    file_not_as_attached: ({ file }) =>
      `El archivo incluido no es el archivo adjunto (${file}) que, según el registro de auditoría, se envió.`,
    values_not_as_signed: ({ party }) =>
      `Lo incluido como rellenado por ${party} no es lo que, según el registro de auditoría, firmó.`,

    no_seal: () => 'El PDF no lleva ninguna firma digital.',
    seal_removed: () =>
      'El PDF contiene lo que este servicio incluye en un documento sellado, pero no lleva sello: se quitó.',

    empty_file: () => 'El archivo está vacío.',
    not_a_pdf: () => 'El archivo no es un PDF.',
    file_too_large: () => 'El archivo pasa de 150 MB, el máximo que se examina.',
    too_complex: () => 'Leer el archivo requirió más tiempo o memoria que ningún documento sellado aquí.',
    encrypted: () =>
      'El archivo está cifrado. Los documentos sellados aquí nunca lo están: use el archivo tal como lo recibió.',
    cut_short: () => 'El archivo se interrumpe a la mitad: no se transfirió completo.',
    structure_unreadable: () => 'El archivo dice ser un PDF, pero no se puede leer como tal.',
  },
  verdicts: {
    valid: 'Este documento es auténtico y no ha sido alterado',
    altered: 'Este documento se alteró después de sellarlo',
    not_sealed_here: 'Este documento no lo selló este servicio',
    not_sealed: 'Este PDF no lleva sello',
    unreadable: 'No se puede comprobar este archivo',
  },
  meanings: {
    valid: 'Lo selló este servicio y desde entonces no ha cambiado nada en él.',
    altered:
      'No confíe en él. Pida al remitente el documento tal como se selló, o descárguelo con su propio enlace de firma.',
    not_sealed_here:
      'Puede que su firma sea buena, pero no es de este servicio, así que aquí no se puede decir quién lo firmó. Pregunte al servicio que lo selló.',
    not_sealed: 'Un documento completado con este servicio siempre lo lleva. Una copia impresa y escaneada, no.',
    unreadable: 'No se puede decir nada de él. Elija el PDF tal como lo recibió o descargó.',
  },
  title: 'Verificar un documento',
  lead: 'Elija un PDF completado para saber si lo selló este servicio y si ha cambiado desde entonces.',
  privacy: 'El archivo se examina y después se borra. No se conserva nada de él.',
  file: 'Archivo PDF',
  fileHint: 'Suelte aquí el archivo o elíjalo. Como máximo, 150 MB.',
  verify: 'Verificar',
  another: 'Verificar otro documento',
  noFile: 'Elija primero un archivo PDF.',
  busyTitle: 'Se están verificando demasiados archivos',
  busy: 'Inténtelo de nuevo en un momento.',
  throttledTitle: 'Demasiadas solicitudes',
  failedTitle: 'Algo ha fallado',
  failed: 'No se pudo examinar el archivo. Inténtelo de nuevo en un momento.',
  problem: 'Qué está mal',
  remarks: 'A tener en cuenta',
  checks: 'Qué se comprobó',
  document: 'El documento',
  documentTitle: 'Título',
  documentId: 'ID del documento',
  sentBy: 'Enviado por',
  sealedAt: 'Sellado',
  timeStamp: 'Sello de tiempo',
  unverified: 'no verificado',
  contentHash: 'SHA-256 del contenido',
  attachedFile: 'Archivo adjunto',
  fileBefore: 'Su SHA-256 antes',
  fileAfter: 'Su SHA-256 después',
  auditHead: 'Última entrada de auditoría',
  parties: 'Quién participó',
  signed: 'Firmó',
  approved: 'Aprobó',
  copied: 'Recibió una copia',
  notSigned: 'No consta su firma',
  viewed: 'Abrió',
  identifiedBy: 'Identificación',
  kinds: { signer: 'Firmante', approver: 'Aprueba', cc: 'Copia' },
  channels: {
    email: 'enlace personal enviado por correo electrónico',
    sms: 'enlace personal enviado por SMS',
    in_person: 'enlace personal, en persona',
  },
  authLevels: { l1_email_sms_otp: 'código de un solo uso por SMS', l0_account_session: 'sesión en su cuenta' },
  methods: { typed: 'escrita', drawn: 'trazada a mano', approval: 'aprobación' },
};
