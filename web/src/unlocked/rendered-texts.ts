import { inLanguage } from '../language.ts';

const english = {
  title: 'PDF of the text',
  how: 'Made of the text as it is now. Download it, or go on with it.',
  making: 'The PDF is being made…',
  page: 'Page {n} of {all}',
  download: 'Download PDF',
  use: "Use as the document's file",
  draft: 'New draft with this file',
  back: 'Editable text',
  useTitle: "Use it as the document's file?",
  useText: 'It takes the place of the PDF that the document has now.',
  useFields: 'Fields that were placed on the present PDF are lost, and have to be placed anew.',
  useKept: 'The text stays with the document, and so does the PDF that it was unlocked from.',
  draftTitle: 'Make a new draft with this file?',
  makeDraft: 'Make draft',
  draftText:
    'The draft has the title and type of this document, and nobody to sign it yet. This document stays as it is.',
  failures: {
    nothing_to_render: 'There is no text left to make a PDF of. Write some, or revert a page.',
    rendering_failed: 'Making the PDF takes too long or too much memory. Make the text shorter.',
    changed_meanwhile: 'The text was changed, and the PDF made anew meanwhile. Load this page again to see it.',
    refused: 'The document was sent already, so its PDF cannot be changed.',
    not_found: 'The document is not unlocked any more, or its file was replaced.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  title: 'PDF del texto',
  how: 'Hecho con el texto tal como está ahora. Descárguelo, o siga con él.',
  making: 'Se está haciendo el PDF…',
  page: 'Página {n} de {all}',
  download: 'Descargar el PDF',
  use: 'Usar como archivo del documento',
  draft: 'Nuevo borrador con este archivo',
  back: 'Texto editable',
  useTitle: '¿Usarlo como archivo del documento?',
  useText: 'Ocupa el lugar del PDF que el documento tiene ahora.',
  useFields: 'Los campos colocados en el PDF actual se pierden, y hay que colocarlos de nuevo.',
  useKept: 'El texto queda con el documento, y también el PDF del que se desbloqueó.',
  draftTitle: '¿Hacer un borrador nuevo con este archivo?',
  makeDraft: 'Hacer borrador',
  draftText:
    'El borrador lleva el título y el tipo de este documento, y aún nadie que lo firme. Este documento queda como está.',
  failures: {
    nothing_to_render: 'No queda texto del que hacer un PDF. Escriba algo, o restablezca una página.',
    rendering_failed: 'Hacer el PDF lleva demasiado tiempo o memoria. Acorte el texto.',
    changed_meanwhile: 'El texto se ha cambiado, y el PDF se ha hecho de nuevo entretanto. Vuelva a cargar la página.',
    refused: 'El documento ya se envió, así que su PDF no se puede cambiar.',
    not_found: 'El documento ya no está desbloqueado, o se sustituyó su archivo.',
  },
};

export const renderedText = inLanguage(english, spanish);
