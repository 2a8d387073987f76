import { inLanguage } from '../language.ts';

const english = {
  submit: 'Submit for review',
  returnToDraft: 'Return to draft',
  makeMirror: 'Make a mirror',
  restrict: 'Restrict',
  liftRestriction: 'Lift restriction',
  review: {
    waiting: '{name} submitted this for review',
    waitingForYou: 'Review it, then send it or return it to draft with a note.',
    waitingForOthers:
      'An owner or admin will send it or return it to draft with a note. You can’t change it until then.',
    returned: '{name} returned this to draft',
  },
  mirrors: {
    of: 'A mirror of',
    waits: 'You can send it when that document is completed.',
    ready: 'That document is completed. You can send this one.',
    never: 'That document won’t be completed, so this one can’t be sent.',
    hidden: 'a restricted document',
    title: 'Mirrors',
    text: 'You can’t send them until this document is completed.',
  },
  dialogs: {
    submitTitle: 'Submit for review?',
    submitText: 'Owners and admins get an e-mail. One of them sends the document or returns it to draft with a note.',
    submitAfter: 'Until then, only they can change it.',
    returnTitle: 'Return to draft?',
    returnText: 'Members can edit it and submit it again. The person who submitted it gets an e-mail.',
    note: 'Note',
    noteHint: 'Visible to members, never to recipients.',
    mirrorTitle: 'Make a mirror of this document?',
    mirrorText:
      'A mirror is a draft with the same title, recipients, PDF and fields. You can’t send it until this document is completed.',
    restrictTitle: 'Restrict this document?',
    restrictText: 'Only owners and admins of {account} will see it, under Settings, Restricted papers.',
    restrictAfter:
      'It disappears from all lists. The API returns 404 for it, and webhooks contain only its ID. Recipients can still sign with their links.',
    restrictAlone:
      'Related documents aren’t restricted: the document it mirrors, and any mirrors, templates or drafts made from it. Check each one.',
    why: 'Why',
    liftTitle: 'Lift the restriction?',
    liftText: 'All members of {account} and API keys will be able to see this document again.',
    liftTemplateText: 'All members of {account} will be able to see this template again.',
  },
  failures: {
    submit: { refused: 'Only a draft can be submitted for review.' },
    return: {
      refused: 'This document is no longer in review.',
      invalid_input: 'Enter a note of up to 1000 characters.',
    },
    mirror: { refused: 'This document won’t be completed, so a mirror of it could never be sent.' },
    lift: { refused: 'This document is no longer restricted.' },
  },
};

const spanish: typeof english = {
  submit: 'Enviar a revisión',
  returnToDraft: 'Devolver a borrador',
  makeMirror: 'Crear un reflejo',
  restrict: 'Restringir',
  liftRestriction: 'Quitar la restricción',
  review: {
    waiting: '{name} envió esto a revisión',
    waitingForYou: 'Revíselo y envíelo, o devuélvalo a borrador con una nota.',
    waitingForOthers:
      'Un propietario o administrador lo enviará o lo devolverá a borrador con una nota. Hasta entonces no puede cambiarlo.',
    returned: '{name} devolvió esto a borrador',
  },
  mirrors: {
    of: 'Un reflejo de',
    waits: 'Podrá enviarlo cuando ese documento se complete.',
    ready: 'Ese documento está completado. Ya puede enviar este.',
    never: 'Ese documento no se completará, así que este no se puede enviar.',
    hidden: 'un documento restringido',
    title: 'Reflejos',
    text: 'No podrá enviarlos hasta que se complete este documento.',
  },
  dialogs: {
    submitTitle: '¿Enviar a revisión?',
    submitText:
      'Los propietarios y administradores reciben un correo. Uno de ellos enviará el documento o lo devolverá a borrador con una nota.',
    submitAfter: 'Hasta entonces solo ellos pueden cambiarlo.',
    returnTitle: '¿Devolver a borrador?',
    returnText: 'Los miembros pueden editarlo y volver a enviarlo a revisión. Quien lo envió recibe un correo.',
    note: 'Nota',
    noteHint: 'Visible para los miembros, nunca para los destinatarios.',
    mirrorTitle: '¿Crear un reflejo de este documento?',
    mirrorText:
      'Un reflejo es un borrador con el mismo título, destinatarios, PDF y campos. No podrá enviarlo hasta que se complete este documento.',
    restrictTitle: '¿Restringir este documento?',
    restrictText: 'Solo lo verán los propietarios y administradores de {account}, en Ajustes, Documentos restringidos.',
    restrictAfter:
      'Desaparece de todas las listas. La API responde 404 y los webhooks solo contienen su identificador. Los destinatarios pueden seguir firmándolo con sus enlaces.',
    restrictAlone:
      'Los documentos relacionados no se restringen: el documento que refleja, sus reflejos y las plantillas o borradores creados a partir de él. Revise cada uno.',
    why: 'Motivo',
    liftTitle: '¿Quitar la restricción?',
    liftText: 'Todos los miembros de {account} y las claves de API podrán volver a ver este documento.',
    liftTemplateText: 'Todos los miembros de {account} podrán volver a ver esta plantilla.',
  },
  failures: {
    submit: { refused: 'Solo se puede enviar a revisión un borrador.' },
    return: {
      refused: 'Este documento ya no está en revisión.',
      invalid_input: 'Escriba una nota de hasta 1000 caracteres.',
    },
    mirror: { refused: 'Este documento no se completará, así que un reflejo nunca se podría enviar.' },
    lift: { refused: 'Este documento ya no está restringido.' },
  },
};

export const reviewText = inLanguage(english, spanish);
