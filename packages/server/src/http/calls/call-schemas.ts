import type { Contract, ContractOperation } from "../contract.ts";
import type { ParametersSchema } from "../route-schemas.ts";

/** The schemas of a call to a model. */
export type CallSchemas = {
  path: ParametersSchema;
  /** The names are in lower case. */
  headers: ParametersSchema;
  /** The reference to the schema of the body in the document, such as `#/components/schemas/EmbeddingsRequest`. */
  bodyReference: string;
  /** Whether the body is a form with a file, and not JSON. */
  takesForm: boolean;
};

const NO_PARAMETERS: ParametersSchema = { type: "object", properties: {}, required: [] };

/** Returns the schemas that the contract has for a call. */
export function readCallSchemas({ document, schemas }: Contract, operation: ContractOperation): CallSchemas {
  const { path, method, operationId } = operation;
  const { params = NO_PARAMETERS, headers = NO_PARAMETERS } = schemas.get(operationId) ?? {};
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {};
  const form = content["multipart/form-data"];
  const bodyReference = (form ?? content["application/json"])?.schema?.$ref;
  if (bodyReference === undefined) throw new Error(`The body of ${path} has no named schema.`);
  return { path: params, headers, bodyReference, takesForm: form !== undefined };
}
