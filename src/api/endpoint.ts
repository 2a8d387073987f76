import type { TObject, TSchema } from 'typebox';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { CursorCodec } from '../http/cursor.ts';
import type { Query } from '../http/page-request.ts';
import type { Scope } from '../keys/scopes.ts';
import type { World } from '../platform/world.ts';
import { DatabaseFailure, type Notifying, type Queryable, type Tx } from '../postgres/database.ts';
import type { Caller } from './caller.ts';

/**
 * The part of an endpoint's declaration that HTTP needs. The request pipeline, the OpenAPI document and the scope tests
 * read the same table.
 */
export interface EndpointDeclaration {
  method: 'GET' | 'POST';
  /** Path below `/api/v1`, with `:id` for a path parameter. */
  path: string;
  summary: string;
  description: string;
  /** Query parameters by name. The `x-error-code` of a schema is the error of an invalid value. */
  query?: Record<string, TSchema>;
  /** The JSON body. Absent for endpoints without a body. `required: false` makes it optional. */
  body?: { schema: TObject; required: boolean };
  answer: { status: 200 | 201; schema: TObject; description: string };
  /**
   * Error codes of the endpoint's own rules. Those of its schemas, of its kind of request and of every request are added where
   * they are listed (src/api/openapi/answer-codes.ts).
   */
  codes: readonly ErrorCode[];
}

/** An admitted request for a handler. `id` comes from the path, and is '' when the path has none. */
export interface Call {
  world: World;
  caller: Caller;
  id: string;
  query: Query;
  /** The parsed JSON body. Undefined when none was sent. */
  body: unknown;
  cursors: CursorCodec;
}

interface Common extends EndpointDeclaration {
  scope: Scope | null;
}

interface ReadEndpoint extends Common {
  method: 'GET';
  read(call: Call, db: Queryable): Promise<unknown>;
  /** The read asks only the database, and briefly, so it may run before the key is checked (see `ReadAhead`). */
  mayReadAhead?: true;
}

/** A write of one statement, which is its own transaction. With an Idempotency-Key it runs in the claim's transaction. */
interface StatementEndpoint extends Common {
  method: 'POST';
  failure: ErrorCode;
  writeInOneStatement(call: Call, db: Queryable & Notifying): Promise<unknown>;
  assertMayRepeat: AssertMayRepeat;
}

interface TransactionEndpoint extends Common {
  method: 'POST';
  failure: ErrorCode;
  write(call: Call, tx: Tx): Promise<unknown>;
  assertMayRepeat: AssertMayRepeat;
}

/** Throws when the caller may no longer see the answer. An answer is replayed only to a key that still may. */
type AssertMayRepeat = (call: Call, tx: Tx, answered: string) => Promise<void>;

/** A write that needs several transactions, with network calls between them. */
interface LongEndpoint extends Common {
  method: 'POST';
  failure: ErrorCode;
  /** Reads the input from the body. Throws an error that says what is wrong with it. */
  prepare(call: Call): LongWork;
  /**
   * Returns the answer for a repeated request, without what the API no longer shows. Throws when the caller may no longer do
   * this. The body matches the one that was answered, but may lack parts that make no difference, such as an access token.
   */
  showAgain(call: Call, answered: string): Promise<string>;
}

export interface LongWork {
  /** Cost in units of the rate budget, including the one unit of every request. */
  units: number;
  /** Continues when the client hangs up. Commits `once.answer` last and returns that answer. */
  run(once: OnceOnly): Promise<unknown>;
}

/** Links a long request and its answer to its idempotency key, if it has one. */
export interface OnceOnly {
  /** What an earlier request with the same key started before it was interrupted. */
  begunId: string | null;
  begin(tx: Tx, id: string): Promise<void>;
  /** Stores the answer for repeated requests. */
  answer(tx: Tx, result: unknown): Promise<void>;
  /** Answers without storing the answer. A repeated request continues the work. */
  leaveOpen(): Promise<void>;
}

export type Endpoint = ReadEndpoint | StatementEndpoint | TransactionEndpoint | LongEndpoint;

/** Throws the documented code for a database failure in this step. Other errors are thrown unchanged. */
export async function orFail<Result>(code: ErrorCode, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    throw error instanceof DatabaseFailure ? new ApiError(code, { cause: error }) : error;
  }
}
