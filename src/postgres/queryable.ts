/** An SQL statement. Each connection prepares it once under its name. */
export interface Statement<Row = unknown> {
  name: string;
  text: string;
  values: unknown[];
  /**
   * Builds a row from its column values in order. By default the driver sets them on an object by name, which costs as
   * much as reading them. Statements behind most requests define this instead.
   */
  row?: (values: readonly unknown[]) => Row;
}

export interface Queryable {
  /**
   * Runs a statement and returns its rows. Column types: uuid and text are strings, timestamptz a `Timestamp`, int8 a
   * number, bytea a Buffer.
   */
  query<Row>(statement: Statement<Row>): Promise<Row[]>;
}
