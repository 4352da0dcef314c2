import fastJsonStringify from "fast-json-stringify";

/** Serializes an answer as JSON text. */
export type Serialize = (answer: unknown) => string;

/**
 * Returns the serializer of a response schema, which writes only what the schema declares. Of alternatives it is that of the
 * first: handlers send the others as text. It is compiled by the first answer: compiling those of all operations takes half a
 * second of each start.
 */
export function createSerializer(schema: { oneOf?: readonly object[] }): Serialize {
  let serialize: Serialize | undefined;
  return (answer) => {
    serialize ??= fastJsonStringify(schema.oneOf?.[0] ?? schema);
    return serialize(answer);
  };
}
