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
      "An owner or admin will send it or return it to draft with a note. You can't change it until then.",
    returned: '{name} returned this to draft',
  },
  mirrors: {
    of: 'A mirror of',
    waits: 'You can send it when that document is completed.',
    ready: 'That document is completed. You can send this one.',
    never: "That document won't be completed, so this one can't be sent.",
    hidden: 'a restricted paper',
    title: 'Mirrors',
    text: 'They cannot be sent until this document is completed.',
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
      "A mirror is a draft with the same title, recipients, PDF and fields. You can't send it until this document is completed.",
    restrictTitle: 'Restrict this document?',
    restrictText: 'Only owners and admins of {account} will see it, under Settings, Restricted papers.',
    restrictAfter:
      'It disappears from all lists. The API returns 404 for it, and webhooks contain only its ID. Recipients can still sign with their links.',
    restrictAlone:
      "Related documents aren't restricted: the document it mirrors, and any mirrors, templates or drafts made from it. Check each one.",
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
    mirror: { refused: "This document won't be completed, so a mirror of it could never be sent." },
    lift: { refused: 'This document is no longer restricted.' },
  },
};

const spanish: typeof english = {
  submit: 'Presentar a revisión',
  returnToDraft: 'Devolver a borrador',
  makeMirror: 'Crear un reflejo',
  restrict: 'Restringir',
  liftRestriction: 'Levantar la restricción',
  review: {
    waiting: '{name} presentó esto a revisión',
    waitingForYou: 'Léalo y envíelo, o devuélvalo a borrador con una nota.',
    waitingForOthers:
      'Un propietario o administrador lo envía o lo devuelve a borrador con una nota. Hasta entonces no se puede cambiar.',
    returned: '{name} devolvió esto a borrador',
  },
  mirrors: {
    of: 'Un reflejo de',
    waits: 'Se puede enviar cuando aquel esté completado, y no antes.',
    ready: 'Aquel está completado, así que este se puede enviar.',
    never: 'Aquel ya no se va a completar, así que este nunca se podrá enviar.',
    hidden: 'un documento restringido',
    title: 'Reflejos',
    text: 'No se pueden enviar hasta que este documento esté completado.',
  },
  dialogs: {
    submitTitle: '¿Presentar a revisión?',
    submitText:
      'Se avisa por correo a propietarios y administradores. Uno de ellos lo envía o lo devuelve a borrador con una nota.',
    submitAfter: 'Hasta entonces solo ellos pueden cambiarlo.',
    returnTitle: '¿Devolver a borrador?',
    returnText:
      'Los miembros pueden volver a cambiarlo y presentarlo de nuevo. Se avisa por correo a quien lo presentó.',
    note: 'Nota',
    noteHint: 'Visible para los miembros, nunca para los destinatarios.',
    mirrorTitle: '¿Crear un reflejo de este documento?',
    mirrorText:
      'Un reflejo es un borrador con el mismo título, destinatarios, PDF y campos. No podrá enviarlo hasta que se complete este documento.',
    restrictTitle: '¿Restringir este documento?',
    restrictText:
      'Desde entonces solo lo ven propietarios y administradores de {account}, en Ajustes, Documentos restringidos.',
    restrictAfter:
      'Desaparece de todas las listas. La API responde 404 y los webhooks solo contienen su identificador. Los destinatarios pueden seguir firmándolo con sus enlaces.',
    restrictAlone:
      'Con él no se restringe nada más: ni lo que refleja, ni ningún reflejo, plantilla o borrador que se hizo de él antes. Mire cada uno.',
    why: 'Motivo',
    liftTitle: '¿Levantar la restricción?',
    liftText:
      'Todos los miembros de {account} vuelven a ver este documento, también en las listas, y las claves de API lo leen.',
    liftTemplateText: 'Todos los miembros de {account} vuelven a ver esta plantilla, también en la lista.',
  },
  failures: {
    submit: { refused: 'Solo un borrador se puede presentar a revisión.' },
    return: {
      refused: 'Este documento ya no está en revisión.',
      invalid_input: 'Escriba una nota de 1 a 1000 caracteres.',
    },
    mirror: { refused: 'Este documento ya no se va a completar, así que un reflejo suyo nunca se podría enviar.' },
    lift: { refused: 'Este documento ya no está restringido.' },
  },
};

export const keepingText = inLanguage(english, spanish);
