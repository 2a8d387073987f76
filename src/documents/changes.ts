/** Whoever shows documents listens here. The payload is the id of the account of which one was made or changed. */
export const documentsChannel = 'document_changes';
