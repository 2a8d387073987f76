import { inLanguage } from '../language.ts';

const english = {
  title: 'PDF of the text',
  how: 'Created from the current text. Download it or use it here.',
  making: 'Creating the PDF…',
  page: 'Page {n} of {all}',
  download: 'Download PDF',
  use: 'Use as the document’s file',
  draft: 'New draft with this file',
  back: 'Editable text',
  useTitle: 'Use it as the document’s file?',
  useText: 'It replaces the document’s current PDF.',
  useFields: 'Fields on the current PDF are deleted. You’ll need to place them again.',
  useKept: 'The document keeps its text and the PDF it was unlocked from.',
  draftTitle: 'Create a new draft with this file?',
  makeDraft: 'Create draft',
  draftText: 'The draft gets this document’s title and type, without recipients. This document doesn’t change.',
  failures: {
    nothing_to_render: 'There is no text to create a PDF from. Add text or revert a page.',
    rendering_failed: 'The text is too large to render. Shorten it and try again.',
    changed_meanwhile: 'The text changed and a new PDF was created. Reload this page to see it.',
    refused: 'This document was already sent, so you can’t replace its PDF.',
    not_found: 'This document is no longer unlocked, or its file was replaced.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  title: 'PDF del texto',
  how: 'Creado con el texto actual. Descárguelo o úselo aquí.',
  making: 'Creando el PDF…',
  page: 'Página {n} de {all}',
  download: 'Descargar el PDF',
  use: 'Usar como archivo del documento',
  draft: 'Nuevo borrador con este archivo',
  back: 'Texto editable',
  useTitle: '¿Usarlo como archivo del documento?',
  useText: 'Sustituye el PDF actual del documento.',
  useFields: 'Los campos del PDF actual se eliminan. Tendrá que colocarlos de nuevo.',
  useKept: 'El documento conserva su texto y el PDF del que se desbloqueó.',
  draftTitle: '¿Crear un borrador nuevo con este archivo?',
  makeDraft: 'Crear borrador',
  draftText: 'El borrador tendrá el título y el tipo de este documento, sin destinatarios. Este documento no cambia.',
  failures: {
    nothing_to_render: 'No hay texto para crear un PDF. Añada texto o restablezca una página.',
    rendering_failed: 'El texto es demasiado largo para crear un PDF. Acórtelo e inténtelo de nuevo.',
    changed_meanwhile: 'El texto cambió y se creó un PDF nuevo. Recargue la página para verlo.',
    refused: 'Este documento ya se envió, así que no puede cambiar su PDF.',
    not_found: 'Este documento ya no está desbloqueado o se sustituyó su archivo.',
  },
};

export const renderedText = inLanguage(english, spanish);
