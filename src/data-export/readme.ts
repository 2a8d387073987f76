import type { Language } from '../platform/language.ts';

const english = `DATA EXPORT

This archive has everything that Countersign stores for your company. You can read it without Countersign: it has PDF files,
text files with JSON, and tables for a spreadsheet.

Start with documents.csv. Each document has an ID, and its files are in files/ID/.

FILES OF A DOCUMENT (files/ID/)
  original.pdf        the attached or imported file. For a document that was completed at another vendor: its signed PDF
  part-1.pdf …        the files that original.pdf was joined from, in their order, when there were several
  sealed.pdf          the completed PDF with its seal. It can be checked with the page /verify, or without Countersign
  upload-5.pdf        a file that a recipient attached to the fifth field, as PDF, PNG or JPEG
  unlocked.json       the text of an unlocked document, with the changes that members made
  edited.pdf          the PDF that was made of that text
  before-editing.pdf  the file that such a PDF replaced
  signatures/         signatures, initials and stamps that are pictures, by the ID of the recipient

TABLES FOR A SPREADSHEET
  documents.csv, templates.csv, members.csv, contacts.csv
  A text that a spreadsheet would run as a formula has an apostrophe in front.

DATA (.jsonl has one JSON object a line, .json one value)
  documents.jsonl     every document: drafts, templates, sent, completed and voided ones, with recipients, fields and values
  audit-trails.jsonl  the audit trail of every document, with its hashes. The guide says how to check them
  attestations.jsonl  the service's signature over each act of a recipient (cms: CMS in hexadecimal digits)
  events.jsonl        events of documents, as webhooks get them
  messages.jsonl      e-mails and SMS that were sent, with their delivery
  audit-log.jsonl     what members and the operator did to the company
  api-keys.json, api-requests.jsonl, webhooks.json, webhook-deliveries.jsonl, webhook-attempts.jsonl
  imports.jsonl, import-items.jsonl, imported-files.jsonl, imported-drive-files.jsonl, imported-envelopes.jsonl
  bulk-sends.jsonl, bulk-send-rows.jsonl, public-links.jsonl, public-link-documents.jsonl
  folders.json, folder-members.json  folders, and who sees them
  cc-lists.json, cc-list-people.json  lists of people who get copies
  removed-members.jsonl, sso-identities.jsonl, saved-views.jsonl, usage.jsonl, credits.jsonl
  settings.json       the company, its plan, branding, texts of e-mails, sending, signing, domain and single sign-on
  branding/           the logo
  manifest.json       when the export was made, the number of rows, and the size and SHA-256 of each file. missing_files has
                      files that the service had lost or whose bytes were damaged

WHAT IS LEFT OUT
  Secrets: passwords, API keys, signing links, the addresses of public links, webhook secrets, tokens of connected services.
  Sign-in methods, sessions and saved signatures of members, which belong to the person.

All times are in UTC. All text is UTF-8. Keep the archive in a safe place: it has restricted documents too.
`;

const spanish = `EXPORTACIÓN DE DATOS

Este archivo contiene todo lo que Countersign guarda de su empresa. Puede leerlo sin Countersign: tiene archivos PDF, archivos
de texto con JSON y tablas para una hoja de cálculo.

Empiece por documents.csv. Cada documento tiene un identificador (ID), y sus archivos están en files/ID/.

ARCHIVOS DE UN DOCUMENTO (files/ID/)
  original.pdf        el archivo adjuntado o importado. Si el documento se completó con otro proveedor: su PDF firmado
  part-1.pdf …        los archivos que se unieron en original.pdf, en su orden, si fueron más de uno
  sealed.pdf          el PDF completado con su sello. Se comprueba en la página /verify, o sin Countersign
  upload-5.pdf        un archivo que un destinatario adjuntó al quinto campo, en PDF, PNG o JPEG
  unlocked.json       el texto de un documento desbloqueado, con los cambios de los miembros
  edited.pdf          el PDF creado con ese texto
  before-editing.pdf  el archivo que ese PDF sustituyó
  signatures/         las firmas, iniciales y sellos que son imágenes, con el ID del destinatario

TABLAS PARA UNA HOJA DE CÁLCULO
  documents.csv, templates.csv, members.csv, contacts.csv
  Un texto que la hoja de cálculo ejecutaría como fórmula lleva un apóstrofo delante.

DATOS (.jsonl tiene un objeto JSON por línea; .json, un valor)
  documents.jsonl     todos los documentos: borradores, plantillas, enviados, completados y anulados, con destinatarios, campos
                      y valores
  audit-trails.jsonl  el registro de auditoría de cada documento, con sus hashes. La guía explica cómo comprobarlos
  attestations.jsonl  la firma del servicio sobre cada acto de un destinatario (cms: CMS en dígitos hexadecimales)
  events.jsonl        los eventos de los documentos, como los reciben los webhooks
  messages.jsonl      los correos y SMS enviados, con su entrega
  audit-log.jsonl     lo que los miembros y el operador hicieron en la empresa
  api-keys.json, api-requests.jsonl, webhooks.json, webhook-deliveries.jsonl, webhook-attempts.jsonl
  imports.jsonl, import-items.jsonl, imported-files.jsonl, imported-drive-files.jsonl, imported-envelopes.jsonl
  bulk-sends.jsonl, bulk-send-rows.jsonl, public-links.jsonl, public-link-documents.jsonl
  folders.json, folder-members.json  las carpetas y quién las ve
  cc-lists.json, cc-list-people.json  las listas de personas que reciben copias
  removed-members.jsonl, sso-identities.jsonl, saved-views.jsonl, usage.jsonl, credits.jsonl
  settings.json       la empresa, su plan, marca, textos de correos, envío, firma, dominio e inicio de sesión
  branding/           el logotipo
  manifest.json       cuándo se hizo la exportación, el número de filas, y el tamaño y el SHA-256 de cada archivo.
                      missing_files tiene los archivos que el servicio había perdido o cuyos bytes estaban dañados

LO QUE NO SE INCLUYE
  Contraseñas, claves de API, enlaces de firma, direcciones de enlaces públicos, claves con las que se firman los webhooks y
  tokens de servicios conectados. Los métodos de inicio de sesión, las sesiones y las
  firmas guardadas de los miembros, que son de cada persona.

Todas las horas son UTC. Todo el texto es UTF-8. Guarde el archivo en un lugar seguro: también tiene documentos restringidos.
`;

const texts: Record<Language, string> = { en: english, es: spanish };

/** Returns README.txt, which explains the archive to people. */
export function readmeOf(language: Language): string {
  return texts[language];
}
