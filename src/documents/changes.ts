/** PostgreSQL channel notified when a document is created or changed. The payload is the id of its account. */
export const documentsChannel = 'document_changes';
