/** A JSON Schema can't be turned into a grammar. `path` leads to the place in it that is at fault. */
export class UnusableSchemaError extends Error {
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}
