import { OperatorError } from '../errors.ts';
import { sqlState } from './database.ts';

export const mayNotCreate =
  'the role of DATABASE_URL may not create tables: make it the owner, with ALTER DATABASE name OWNER TO role';
export const isReadOnly = 'the database is read-only: set DATABASE_URL to the primary server';

const ownsNoTable =
  'the role of DATABASE_URL does not own the tables: run REASSIGN OWNED BY their owner TO role, or ALTER TABLE … OWNER TO role';

/** PostgreSQL's messages to a role that may not use or change a table. They have the code of the schema's, 42501. */
const refusesTable = /^(must be owner of|permission denied for (table|sequence|view)) /;

/** PostgreSQL's codes for: no privilege, no schema to create in, read-only transaction. */
const remedies: Readonly<Record<string, string>> = {
  '42501': mayNotCreate,
  '3F000': mayNotCreate,
  '25006': isReadOnly,
};

/** Returns an `OperatorError` with the remedy where the role or the server doesn't allow changes of the schema, else the error. */
export function explainRefusal(error: unknown): unknown {
  const { message } = error as Error;
  const remedy = refusesTable.test(message) ? ownsNoTable : remedies[sqlState(error) ?? ''];
  return remedy === undefined ? error : new OperatorError(`${remedy} (${message})`, { cause: error });
}
