import { ApiError, type ErrorCode } from '../errors.ts';
import type { CursorCodec } from '../http/cursor.ts';
import type { EndpointDeclaration } from '../http/endpoint.ts';
import type { Query } from '../http/page-request.ts';
import type { Scope } from '../keys/scopes.ts';
import { DatabaseFailure, type Notifying, type Queryable, type Tx } from '../postgres/database.ts';
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
  writeInOneStatement(call: Call, db: Queryable & Notifying): Promise<unknown>;
  assertMayRepeat: AssertMayRepeat;
}

interface TransactionEndpoint extends Common {
  method: 'POST';
  failure: ErrorCode;
  write(call: Call, tx: Tx): Promise<unknown>;
  assertMayRepeat: AssertMayRepeat;
}

/** Throws when the caller may no longer see what it would get: an answer replays only to a key that still may. */
type AssertMayRepeat = (call: Call, tx: Tx, answered: string) => Promise<void>;

/** A write that takes longer than a transaction may, with the network between its transactions. */
interface LongEndpoint extends Common {
  method: 'POST';
  failure: ErrorCode;
  /** Reads the body, and says what it asks for. Throws what is wrong with it. */
  prepare(call: Call): LongWork;
  /**
   * Throws when the caller may not do this any more: an answer replays only to a key that still may (decisions.md). The
   * body is as good as the one that was answered, but may lack what makes no difference, such as an access token.
   */
  assertMayRepeat(call: Call): Promise<void>;
}

export interface LongWork {
  /** What it costs of the rate budget, the unit of every request included. */
  units: number;
  /** Goes on when the client hangs up. Commits `once.answer` last; what it returns is that answer. */
  run(once: OnceOnly): Promise<unknown>;
}

/** Ties what a long request begins and answers to its idempotency key, if it has one. */
export interface OnceOnly {
  /** What an earlier request with the same key began and was cut off in. */
  begunId: string | null;
  begin(tx: Tx, id: string): Promise<void>;
  /** Stores the answer that repetitions get. */
  answer(tx: Tx, result: unknown): Promise<void>;
  /** Answers without remembering it: a repetition continues what was begun. */
  leaveOpen(): Promise<void>;
}

export type Endpoint = ReadEndpoint | StatementEndpoint | TransactionEndpoint | LongEndpoint;

/** Names the documented code for a failure of the database in this step. Other errors pass. */
export async function orFail<Result>(code: ErrorCode, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    throw error instanceof DatabaseFailure ? new ApiError(code, { cause: error }) : error;
  }
}
