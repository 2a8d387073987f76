/** One SQL statement, prepared once per connection under its name. */
export interface Statement<Row = unknown> {
  name: string;
  text: string;
  values: unknown[];
  /**
   * Makes a row of its columns' values in order. The driver sets them on an object by name, which costs as much as
   * reading them from the wire: statements that answer most requests say how instead.
   */
  row?: (values: readonly unknown[]) => Row;
}

export interface Queryable {
  /** The rows of one statement. Column types: uuid and text are strings, timestamptz a `Timestamp`, int8 a number, bytea a Buffer. */
  query<Row>(statement: Statement<Row>): Promise<Row[]>;
}
