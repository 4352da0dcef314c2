import type { Security } from "../platform/core/auth/actor.ts";

/** The parts of the OpenAPI document that the server reads. */
export type ContractDocument = {
  paths: Record<string, Record<string, OperationObject>>;
  security?: Security;
  components: { parameters?: Record<string, ParameterObject> };
};
/** A parameter of an operation, or a reference to one. */
export type ParameterObject = {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  schema?: object;
  "x-model-id"?: boolean;
};
/** An operation of the document. */
export type OperationObject = {
  operationId?: string;
  security?: Security;
  "x-permission"?: string;
  "x-impersonation"?: string;
  "x-second-factor"?: string;
  "x-body-limit"?: number;
  "x-rate-limit"?: string;
  parameters?: readonly ParameterObject[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: { $ref?: string } }> };
  responses?: Record<string, { content?: Record<string, { schema?: object }> }>;
};
