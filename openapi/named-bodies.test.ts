import { expect, test } from "vitest";
import { listUnnamedBodies } from "./named-bodies.ts";

const NAMED = { $ref: "#/components/schemas/Key" };
const INLINE = { type: "object", properties: { id: { type: "string" } } };
const json = (schema: object) => ({ content: { "application/json": { schema } } });

/** A contract with one call that takes and returns a key, with changes of its parts. */
function contract({ request = NAMED as object, response = json(NAMED) as object, responses = {} }) {
  const post = { operationId: "keys.create", requestBody: json(request), responses: { 201: response } };
  return { paths: { "/keys": { parameters: [], post } }, components: { responses } };
}

test.each<[string, Parameters<typeof contract>[0], string[]]>([
  ["schemas with a name", {}, []],
  ["an inline object of a request", { request: INLINE }, ["keys.create: request"]],
  ["an inline object of a response", { response: json(INLINE) }, ["keys.create: 201"]],
  ["an inline list of a response", { response: json({ type: "array", items: NAMED }) }, ["keys.create: 201"]],
  ["an inline composition", { request: { allOf: [NAMED, INLINE] } }, ["keys.create: request"]],
  ["a shared response with an inline object", { responses: { NotFound: json(INLINE) } }, ["NotFound"]],
  ["a choice between schemas with a name", { response: json({ oneOf: [NAMED, NAMED] }) }, []],
  ["a choice with an inline object", { response: json({ oneOf: [NAMED, INLINE] }) }, ["keys.create: 201"]],
  ["a text", { response: { content: { "text/html": { schema: { type: "string" } } } } }, []],
  ["a response without a body", { response: { description: "Done." } }, []],
  ["a reference to a shared response", { response: { $ref: "#/components/responses/NotFound" } }, []],
])("finds the bodies without a name: %s", (_what, parts, expected) => {
  expect(listUnnamedBodies(contract(parts))).toEqual(expected);
});
