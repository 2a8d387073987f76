import type { Texts } from './texts-en.ts';

export const textsEs: Texts = {
  findings: {
    is_pdf: () => 'El archivo es un PDF.',
    recorded_here: () => 'Este servicio selló este archivo. Su SHA-256 coincide con el registrado.',
    whole_file_covered: ({ bytes }) => `El sello abarca todo el archivo (${bytes} bytes).`,
    validation_data_added: ({ bytes }) =>
      `El sello cubre todo lo que el documento muestra. Después solo hay ${bytes} bytes de datos para comprobarlo dentro de años.`,
    bytes_unchanged: () => 'Ningún byte bajo el sello ha cambiado.',
    signature_holds: () => 'La firma digital es válida.',
    certificate_bound: () => 'La firma indica su certificado, así que no se puede sustituir por otro.',
    sealed_here: ({ subject, fingerprint }) =>
      `Sellado con el certificado de este servicio: ${subject}, ${fingerprint}.`,
    certificate_in_validity: () => 'El certificado era válido cuando se hizo el sello.',
    time_stamped: ({ at, authority }) =>
      `Una autoridad de sellado de tiempo (${authority}) confirma que el sello existía el ${at}.`,
    document_time_stamped: ({ at, authority }) =>
      `Una autoridad de sellado de tiempo (${authority}) confirma que este archivo, con su sello, existía el ${at}.`,
    audit_trail_intact: ({ entries, hash }) =>
      `El registro de auditoría está completo: ${entries} entradas, cada una enlazada con la anterior. Hash de la última: ${hash}.`,
    content_as_sent: () => 'El contenido firmado es el que se envió. Su hash coincide con el registro de auditoría.',
    changes_forbidden: () =>
      'El sello prohíbe cambios posteriores. Los lectores de PDF que comprueban firmas avisan de cualquier cambio.',
    file_as_attached: ({ file }) => `El archivo adjunto (${file}) está incluido exactamente como se envió.`,
    earlier_signatures_hold: ({ signatures }) =>
      `El archivo llevaba ${signatures} ${signatures === 1 ? 'firma digital' : 'firmas digitales'} antes de sellarse. Lo que abarcan no ha cambiado.`,
    values_as_signed: ({ fields }) =>
      `Los valores rellenados (${fields} ${fields === 1 ? 'campo' : 'campos'}) son los que firmó cada destinatario. Sus hashes coinciden con el registro de auditoría.`,
    acts_attested: ({ acts }) =>
      `Antes de sellar el documento, este servicio firmó digitalmente ${acts === 1 ? 'la entrada de auditoría de una firma o aprobación' : `las entradas de auditoría de ${acts} firmas o aprobaciones`}.`,
    acts_time_stamped: ({ acts }) =>
      `Una autoridad de sellado de tiempo confirma que ${acts === 1 ? 'una firma o aprobación existía' : `${acts} firmas o aprobaciones existían`} a la hora indicada.`,

    test_mode: () =>
      'Este documento se envió en modo de prueba. Sus firmas no son reales y no se envió ningún correo electrónico ni SMS.',
    no_time_stamp: () => 'No hay sello de tiempo. La hora del sello es la del reloj del servicio que lo hizo.',
    time_stamp_unverified: ({ at, authority }) =>
      `El sello de tiempo (${at}, ${authority}) no está verificado. Este servicio no confía en su autoridad para esa hora, y cualquiera puede crear uno parecido.`,
    time_stamp_ended: ({ at, authority }) =>
      `El certificado del sello de tiempo (${at}, ${authority}) ha caducado y ningún sello de tiempo posterior lo abarca. Por sí solo ya no prueba la hora.`,
    document_time_stamp_unverified: ({ at, authority }) =>
      `El sello de tiempo de todo el archivo (${at}, ${authority}) no está verificado. Este servicio no confía en su autoridad para esa hora.`,
    document_time_stamp_ended: ({ at, authority }) =>
      `El certificado del sello de tiempo de todo el archivo (${at}, ${authority}) caducó antes de que lo abarcara otro posterior. Por sí solo ya no prueba la hora.`,
    contents_unreadable: () =>
      'No se pudo comprobar parte del contenido. Aun así, el archivo es exactamente el que se selló.',
    no_audit_trail: () => 'El archivo no tiene registro de auditoría.',
    signature_unconfirmed: () =>
      'Este sello es de una versión antigua y este servicio no tiene registro del archivo. El contenido firmado no ha cambiado. Alguien podría haber reescrito la firma en su otra forma válida. Para estar seguro, verifique el archivo donde se selló.',
    structure_repaired: () => 'La tabla de referencias cruzadas del archivo está dañada y hubo que reconstruirla.',
    has_xfa: () => 'El archivo tiene un formulario XFA. Algunos lectores lo muestran en lugar de las páginas.',
    file_rewritten: ({ file }) =>
      `El archivo adjunto (${file}) estaba cifrado o dañado y hubo que reescribirlo, así que su hash no se puede calcular a partir de este archivo.`,
    earlier_signature_broken: () =>
      'No se puede confirmar una firma digital anterior al sellado. El sello no responde de ella.',
    no_values: () =>
      'Los valores rellenados están solo en las páginas, así que sus hashes no se pueden calcular a partir de este archivo.',
    attestation_certificate_unknown: ({ recipient }) =>
      `La firma digital sobre la entrada de auditoría de ${recipient} se hizo con un certificado que aquí no se conoce.`,
    act_time_stamp_unverified: ({ recipient, at, authority }) =>
      `El sello de tiempo de lo que hizo ${recipient} (${at}, ${authority}) no está verificado. Este servicio no confía en su autoridad para esa hora.`,

    other_certificate: ({ subject, fingerprint }) =>
      `Firmado con un certificado que no es de este servicio: ${subject}, ${fingerprint}.`,
    certificate_of_same_name: ({ subject, fingerprint }) =>
      `Firmado con un certificado distinto que tiene el mismo nombre que el de este servicio: ${subject}, ${fingerprint}.`,
    certificate_unknown: ({ subject, fingerprint }) =>
      `Firmado por ${subject}, huella ${fingerprint}. Este equipo no tiene ningún certificado del servicio con el que compararlo.`,
    certificate_out_of_validity: () => 'El certificado no era válido cuando se hizo la firma.',
    foreign_signature: () => 'La firma no es del tipo que hace este servicio.',

    bytes_changed: () => 'El archivo se modificó después de sellarlo. Sus bytes no coinciden con la firma.',
    bytes_appended: ({ bytes }) => `Se añadieron ${bytes} bytes después del sello.`,
    update_appended: ({ bytes }) =>
      `Después del sello se añadió un cambio de ${bytes} bytes. El archivo puede mostrar algo distinto de lo que se selló.`,
    truncated: ({ bytes }) => `Falta el final del archivo (${bytes} bytes bajo el sello).`,
    byte_range_altered: () => 'El sello no abarca el archivo como lo hacen los de este servicio. Se alteró su alcance.',
    signature_damaged: () => 'Se modificó la firma. No se puede leer como una de este servicio.',
    signature_broken: () => 'La firma no es válida. No se hizo con la clave del certificado que indica.',
    signature_room_used: () => 'Se escribió algo en el espacio vacío que sigue a la firma.',
    not_as_recorded: () => 'El archivo no es el que se registró al sellar el documento.',
    certificate_not_bound: () => 'El certificado incluido no es el que indica la firma.',
    time_stamp_broken: () => 'El sello de tiempo no es válido.',
    seal_disconnected: () => 'El archivo tiene un sello, pero el documento ya no lo usa.',
    structure_damaged: () => 'La estructura del archivo está dañada y no se puede leer su contenido.',
    audit_trail_unreadable: () => 'No se puede leer el registro de auditoría.',
    audit_trail_broken: ({ entry }) =>
      `Se alteró el registro de auditoría. La entrada ${entry} no concuerda con la anterior.`,
    content_not_as_sent: () => 'Según el registro de auditoría, este no es el contenido que se envió.',
    signature_not_in_trail: ({ recipient }) => `Según el registro de auditoría, ${recipient} no firmó ni aprobó.`,
    file_not_as_attached: ({ file }) =>
      `Según el registro de auditoría, el archivo incluido no es el archivo adjunto (${file}) que se envió.`,
    values_not_as_signed: ({ recipient }) =>
      `Según el registro de auditoría, los valores rellenados por ${recipient} no son los que firmó.`,
    attestation_missing: ({ recipient }) =>
      `Según el registro de auditoría, falta la firma digital sobre la entrada de auditoría de ${recipient}.`,
    attestation_not_valid: ({ recipient }) =>
      `La firma digital sobre la entrada de auditoría de ${recipient} no es válida o no es la del registro de auditoría.`,
    attestations_unreadable: () => 'No se pueden leer las firmas digitales sobre las entradas de auditoría.',

    no_seal: () => 'El PDF no tiene ninguna firma digital.',
    seal_removed: () => 'El PDF tiene el contenido de un documento sellado, pero se le quitó el sello.',

    empty_file: () => 'El archivo está vacío.',
    not_a_pdf: () => 'El archivo no es un PDF.',
    file_too_large: () => 'El archivo supera el máximo de 160 MB.',
    too_complex: () => 'Leer el archivo requiere más tiempo o memoria que cualquier documento sellado aquí.',
    encrypted: () =>
      'El archivo está cifrado. Los documentos sellados aquí nunca lo están. Use el archivo tal como lo recibió.',
    cut_short: () => 'El archivo está incompleto. Descárguelo de nuevo.',
    structure_unreadable: () => 'El archivo parece un PDF, pero no se puede leer.',
  },
  verdicts: {
    valid: 'Este documento es auténtico y no ha sido alterado',
    altered: 'Este documento se alteró después de sellarlo',
    not_sealed_here: 'Este documento no lo selló este servicio',
    not_sealed: 'Este PDF no tiene sello',
    unreadable: 'No se puede comprobar este archivo',
  },
  meanings: {
    valid: 'Lo selló este servicio y desde entonces no ha cambiado nada.',
    altered: 'No confíe en él. Pida al remitente el documento sellado o descárguelo con su enlace de firma.',
    not_sealed_here:
      'Puede que su firma sea válida, pero la hizo otro servicio. Pregunte a ese servicio quién lo firmó.',
    not_sealed:
      'Los documentos completados con este servicio siempre tienen sello. Las copias impresas y escaneadas, no.',
    unreadable: 'Elija el PDF exactamente como lo recibió o descargó.',
  },
  testMode: 'Modo de prueba · No es una firma real',
  title: 'Verificar un documento',
  lead: 'Elija un PDF completado para saber si lo selló este servicio y si ha cambiado desde entonces.',
  privacy: 'El archivo se comprueba y después se borra. No guardamos ninguna copia.',
  file: 'Archivo PDF',
  fileHint: 'Suelte aquí el archivo o elíjalo. Hasta 160 MB.',
  verify: 'Verificar',
  another: 'Verificar otro documento',
  noFile: 'Elija primero un archivo PDF.',
  busyTitle: 'Demasiados archivos a la vez',
  busy: 'Inténtelo de nuevo en un momento.',
  throttledTitle: 'Demasiadas solicitudes',
  failedTitle: 'Algo ha fallado',
  failed: 'No se pudo comprobar el archivo. Inténtelo de nuevo en un momento.',
  problem: 'Problemas',
  remarks: 'Observaciones',
  checks: 'Comprobaciones',
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
  recipients: 'Participantes',
  signed: 'Firmó',
  approved: 'Aprobó',
  attested: 'Confirmado',
  byService: 'firma digital del servicio',
  notSigned: 'No consta su firma',
  viewed: 'Abrió',
  identifiedBy: 'Identificación',
  kinds: { signer: 'Firmante', approver: 'Aprueba', cc: 'Copia' },
  channels: {
    email: 'enlace personal enviado por correo electrónico',
    sms: 'enlace personal enviado por SMS',
    in_person: 'enlace personal, en persona',
  },
  linkNotSent: 'enlace personal, sin enviar',
  authLevels: { l1_email_sms_otp: 'código de un solo uso por SMS', l0_account_session: 'sesión en su cuenta' },
  methods: { typed: 'escrita', drawn: 'trazada a mano', uploaded: 'imagen subida', approval: 'aprobación' },
};
