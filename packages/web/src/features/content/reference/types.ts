import type { ContentNode } from "@feather/markdown/content-node";

/** The parts of a JSON schema that the reference shows. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  /** Values that a handler or a backend checks, and not the validator. */
  "x-values"?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
};
type Example = { summary?: string; value: unknown };
type Media = { schema?: Schema; examples?: Readonly<Record<string, Example>> };
/** A reference to a component. */
export type Ref = { $ref: string };
/** A parameter of an operation. */
export type Parameter = {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
};
/** A response of an operation. */
export type ResponseObject = { description: string; content?: Readonly<Record<string, Media>> };
type Body = { required?: boolean; content: Readonly<Record<string, Media>> };
/** A security requirement: schemes with their scopes. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;
/** An operation of the contract. */
export type Operation = {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security?: readonly SecurityRequirement[];
  parameters?: readonly (Parameter | Ref)[];
  requestBody?: Body;
  responses: Readonly<Record<string, ResponseObject | Ref>>;
  "x-permission"?: string;
  "x-impersonation"?: string;
};
/** The components of the contract, by group and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** An operation with its method and path. */
export type OperationWithPath = { method: string; path: string; operation: Operation };
/** What the page of a tag shows, loaded separately. */
export type TagDetail = { operations: readonly OperationWithPath[]; components: Components };
/** An operation in a list. */
export type OperationEntry = { id: string; method: string; path: string; summary: string };
/** A tag with its list of operations. */
export type TagEntry = { name: string; slug: string; description: string; operations: readonly OperationEntry[] };
/** Title, version and introduction of the contract. */
export type ContractInfo = { title: string; version: string; body: readonly ContentNode[] };
