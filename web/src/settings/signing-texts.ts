import { inLanguage } from '../language.ts';

const english = {
  intro:
    'What recipients agree to before they sign, and what completed PDFs show. The consent and the texts apply to documents that are sent from now on.',
  asks: 'Recipients must tick a box before they can sign',
  asksHint:
    '“I agree to use electronic records and signatures.” The full text is above the box. Without it, choosing Sign or Approve means the same.',
  contact: 'Contact for printed copies',
  contactHint:
    'Such as an e-mail address or a phone number. Recipients see it, and the certificate of completion prints it.',
  cost: 'Cost of a printed copy',
  costHint: 'Such as “$5 a page” or “Free”.',
  printsId: 'Print the document’s ID on every page',
  printsIdHint:
    'At the bottom of each page of PDFs that are sealed from now on, also on attached files. The certificate always has it.',
  masksContacts: 'Mask e-mail addresses and phone numbers on the certificate',
  masksContactsHint:
    'Every recipient gets the certificate of completion. A salted hash stands next to each masked address, and the complete certificate, which only your members can download, proves it. Applies to documents that are sent from now on.',
  showsDevices: 'Show IP addresses and devices to all recipients',
  showsDevicesHint:
    'Without it, sealed PDFs have only salted hashes of them, and the complete certificate has the rest. Applies to documents that are sent from now on.',
  delegation: 'Recipients may let someone else sign',
  delegationHint:
    'They name the person, who gets a request of their own. You are told, and the audit trail records it. Applies at once, also to documents that were sent.',
  comments: 'Recipients may write comments to the sender',
  commentsHint:
    'On the signing page, without declining. The sender gets them by e-mail and finds them on the document’s page. Applies at once, also to documents that were sent.',
  save: 'Save',
  saved: 'Saved.',
  failures: {
    'invalid_input:copies_contact': 'Enter one line of at most 200 characters, without invisible characters.',
    'invalid_input:copies_cost': 'Enter one line of at most 200 characters, without invisible characters.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Lo que aceptan los destinatarios antes de firmar y lo que muestran los PDF completados. El consentimiento y los textos se aplican a los documentos que se envíen a partir de ahora.',
  asks: 'Pedir que los destinatarios marquen una casilla antes de firmar',
  asksHint:
    '«Acepto usar documentos electrónicos y la firma electrónica.» El texto completo está encima de la casilla. Sin ella, elegir Firmar o Aprobar significa lo mismo.',
  contact: 'Contacto para copias impresas',
  contactHint:
    'Por ejemplo, un correo electrónico o un teléfono. Lo ven los destinatarios y figura en el certificado de finalización.',
  cost: 'Coste de una copia impresa',
  costHint: 'Por ejemplo, «5 € por página» o «Gratis».',
  printsId: 'Imprimir el ID del documento en cada página',
  printsIdHint:
    'Al pie de cada página de los PDF que se sellen a partir de ahora, también en los archivos adjuntos. El certificado lo lleva siempre.',
  masksContacts: 'Ocultar parte de los correos y teléfonos en el certificado',
  masksContactsHint:
    'Cada destinatario recibe el certificado de finalización. Junto a cada dirección oculta figura un hash con sal, y el certificado completo, que solo pueden descargar sus miembros, la demuestra. Se aplica a los documentos que se envíen a partir de ahora.',
  showsDevices: 'Mostrar las direcciones IP y los dispositivos a todos los destinatarios',
  showsDevicesHint:
    'Sin esto, los PDF sellados solo tienen hashes con sal, y el certificado completo tiene el resto. Se aplica a los documentos que se envíen a partir de ahora.',
  delegation: 'Los destinatarios pueden hacer que firme otra persona',
  delegationHint:
    'Indican a la persona, que recibe su propia solicitud. A usted se le avisa y queda en el registro de auditoría. Se aplica en el acto, también a los documentos ya enviados.',
  comments: 'Los destinatarios pueden escribir comentarios al remitente',
  commentsHint:
    'En la página de firma, sin rechazar. El remitente los recibe por correo y los encuentra en la página del documento. Se aplica en el acto, también a los documentos ya enviados.',
  save: 'Guardar',
  saved: 'Guardado.',
  failures: {
    'invalid_input:copies_contact': 'Escriba una línea de 200 caracteres como máximo, sin caracteres invisibles.',
    'invalid_input:copies_cost': 'Escriba una línea de 200 caracteres como máximo, sin caracteres invisibles.',
  },
};

export const signingText = inLanguage(english, spanish);
