import type { ContentNode } from "../content/types.ts";

/** What the reference reads of a schema of the contract. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
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
export type Ref = { $ref: string };
export type Parameter = {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
};
export type Answer = { description: string; content?: Readonly<Record<string, Media>> };
type Body = { required?: boolean; content: Readonly<Record<string, Media>> };
export type Security = Readonly<Record<string, readonly string[]>>;
export type Operation = {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security?: readonly Security[];
  parameters?: readonly (Parameter | Ref)[];
  requestBody?: Body;
  responses: Readonly<Record<string, Answer | Ref>>;
  "x-permission"?: string;
  "x-impersonation"?: string;
};
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type PlacedOperation = { method: string; path: string; operation: Operation };
export type TagDetail = { operations: readonly PlacedOperation[]; components: Components };
export type OperationEntry = { id: string; method: string; path: string; summary: string };
export type TagEntry = { name: string; slug: string; description: string; operations: readonly OperationEntry[] };
export type ContractInfo = { title: string; version: string; body: readonly ContentNode[] };
