import { documentTypeNames } from '../../../src/document-types.ts';
import { language } from '../language.ts';

/** The names of document types in the page's language. */
export const typeNames = documentTypeNames[language];
