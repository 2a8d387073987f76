import { streamSecretContext } from '../audit-stream/stream.ts';
import { tokenContext } from '../esign/connection.ts';
import { savedSignatureContext } from '../identity/saved-signatures.ts';
import { totpContext } from '../identity/second-factor.ts';
import { linkContext } from '../imports/create-import.ts';
import { clientSecretContext } from '../sso/connection.ts';
import { secretContext } from '../webhooks/endpoint.ts';

export interface SealedColumn {
  table: string;
  /** A uuid. */
  key: string;
  column: string;
  /** The encryption context for a row. */
  contextOf: (key: string) => string;
}

/** Every column encrypted with SECRET_KEY, except values that expire within ten minutes. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', key: 'id', column: 'secret', contextOf: secretContext },
  { table: 'webhook_endpoints', key: 'id', column: 'previous_secret', contextOf: secretContext },
  { table: 'webhook_endpoints', key: 'id', column: 'oldest_secret', contextOf: secretContext },
  { table: 'audit_streams', key: 'account_id', column: 'secret', contextOf: streamSecretContext },
  { table: 'audit_streams', key: 'account_id', column: 'previous_secret', contextOf: streamSecretContext },
  { table: 'people', key: 'id', column: 'totp_secret', contextOf: totpContext },
  { table: 'saved_signatures', key: 'id', column: 'content', contextOf: savedSignatureContext },
  { table: 'sso_connections', key: 'account_id', column: 'client_secret', contextOf: clientSecretContext },
  { table: 'import_items', key: 'id', column: 'sealed_link', contextOf: linkContext },
  { table: 'esign_connections', key: 'id', column: 'access_token', contextOf: tokenContext.access },
  { table: 'esign_connections', key: 'id', column: 'refresh_token', contextOf: tokenContext.refresh },
];
