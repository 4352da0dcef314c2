import type { ContractDocument, ContractOperation, ParameterObject } from "../contract.ts";

/** The schema of the parameters of a request in one place. */
type ParametersSchema = { type: "object"; properties: Record<string, object>; required: string[] };

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

/** Returns the schemas that the contract has for a call. */
export function readCallSchemas(document: ContractDocument, { path, method }: ContractOperation): CallSchemas {
  const item = document.paths[path] ?? {};
  const operation = item[method.toLowerCase()];
  const ofPath = (item as { parameters?: readonly ParameterObject[] }).parameters ?? [];
  const parameters = [...ofPath, ...(operation?.parameters ?? [])].map(
    ({ $ref, ...parameter }) => document.components.parameters?.[$ref?.split("/").at(-1) ?? ""] ?? parameter,
  );
  const content = operation?.requestBody?.content ?? {};
  const form = content["multipart/form-data"];
  const bodyReference = (form ?? content["application/json"])?.schema?.$ref;
  if (bodyReference === undefined) throw new Error(`The body of ${path} has no named schema.`);
  const takesForm = form !== undefined;
  return { path: toSchema(parameters, "path"), headers: toSchema(parameters, "header"), bodyReference, takesForm };
}

function toSchema(parameters: readonly ParameterObject[], place: string): ParametersSchema {
  const here = parameters.filter((parameter) => parameter.in === place);
  const entries = here.map(({ name = "", schema = {} }) => [name.toLowerCase(), schema] as const);
  const required = here.filter((parameter) => parameter.required).map(({ name = "" }) => name.toLowerCase());
  return { type: "object", properties: Object.fromEntries(entries), required };
}
