import { type DocumentType, documentTypeNames } from '../../../src/document-types.ts';
import { inLanguage, language } from '../language.ts';

/** Signed PDFs and signing pages call both of these types "Document". In the console people choose between them. */
const english = { general: 'General document', other: 'Other document' };
const spanish: typeof english = { general: 'Documento general', other: 'Otro documento' };

/** The names of document types in the page's language. Each is different. */
export const typeNames: Record<DocumentType, string> = {
  ...documentTypeNames[language],
  ...inLanguage(english, spanish),
};
