import type { DocumentStatus, DocumentType } from '../documents/document.ts';
import type { DocumentJsonRow } from '../documents/json.ts';
import { isDone, isSigner, type Recipient } from '../documents/recipient.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** What the console's pages are shown of documents. Their types are the pages' own, too. */

/** A row of the list. */
export interface DocumentSummary {
  id: string;
  title: string;
  type: DocumentType;
  status: DocumentStatus;
  /** The first few parties, in the order in which they sign. */
  party_names: string[];
  party_count: number;
  signer_count: number;
  signed_count: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

const namesMax = 3;

export function documentSummary(row: DocumentJsonRow, recipients: readonly Recipient[]): DocumentSummary {
  const signers = recipients.filter(isSigner);
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    status: row.status,
    party_names: recipients.slice(0, namesMax).map(({ display_name }) => display_name),
    party_count: recipients.length,
    signer_count: signers.length,
    signed_count: signers.filter(isDone).length,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
