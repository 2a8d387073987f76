import { ApiError, type ErrorCode } from '../errors.ts';
import type { CursorCodec } from '../http/cursor.ts';
import type { EndpointDeclaration } from '../http/endpoint.ts';
import type { Query } from '../http/page-request.ts';
import type { Scope } from '../keys/scopes.ts';
import { DatabaseFailure, type Queryable, type Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import type { Caller } from './admission.ts';

/** One admitted request, as a handler sees it. `id` is the path's, '' where the path has none. */
export interface Call {
  world: World;
  caller: Caller;
  id: string;
  query: Query;
  /** The parsed JSON body; undefined when none was sent. */
  body: unknown;
  cursors: CursorCodec;
}

interface Common extends EndpointDeclaration {
  scope: Scope | null;
}

interface ReadEndpoint extends Common {
  method: 'GET';
  read(call: Call, db: Queryable): Promise<unknown>;
}

/** A write whose one statement is its own transaction; with an Idempotency-Key it runs inside the claim's. */
interface StatementEndpoint extends Common {
  method: 'POST';
  failure: ErrorCode;
  writeInOneStatement(call: Call, db: Queryable): Promise<unknown>;
}

interface TransactionEndpoint extends Common {
  method: 'POST';
  failure: ErrorCode;
  write(call: Call, tx: Tx): Promise<unknown>;
}

export type Endpoint = ReadEndpoint | StatementEndpoint | TransactionEndpoint;

/** Names the documented code for a failure of the database in this step. Other errors pass. */
export async function orFail<Result>(code: ErrorCode, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    throw error instanceof DatabaseFailure ? new ApiError(code, { cause: error }) : error;
  }
}
