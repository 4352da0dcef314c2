import type { ValidateFunction } from "ajv/dist/2020.js";
import type { FastifyInstance } from "fastify";

type DeclaredResponses = Record<string, { content?: Record<string, { schema?: object }> } | undefined>;

/** Validates every response against the contract and fails the request on a mismatch. For tests. */
export function validateResponses(app: FastifyInstance, compile: (schema: object) => ValidateFunction): void {
  const validators = new Map<object, ValidateFunction>();
  app.addHook("preSerialization", async (request, reply, payload) => {
    const declaredResponse = (request.routeOptions.schema?.response as DeclaredResponses | undefined)?.[
      String(reply.statusCode)
    ];
    const schema = declaredResponse?.content?.["application/json"]?.schema;
    if (!schema) return payload;
    const validate = validators.get(schema) ?? compile(schema);
    validators.set(schema, validate);
    // Serialized as sent: dates become text, undefined fields are dropped.
    if (!validate(JSON.parse(JSON.stringify(payload))))
      throw new Error(`The answer is not what the contract says: ${JSON.stringify(validate.errors)}`);
    return payload;
  });
}
