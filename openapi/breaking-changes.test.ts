import { expect, test } from "vitest";
import { findBreakingChanges } from "./breaking-changes.ts";

const KEY = { type: "object", required: ["id"], properties: { id: { type: "string" }, name: { type: "string" } } };

/** A contract with one call, `POST /keys`, which takes and returns a key, with changes of its parts. */
function contract({ body = {}, key = {}, parameters = [] as object[], operation = {}, paths = {} } = {}) {
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  const post = {
    operationId: "keys.create",
    parameters,
    requestBody: json({ ...KEY, ...body }),
    responses: { 201: json({ $ref: "#/components/schemas/Key" }) },
    ...operation,
  };
  return { paths: { "/keys": { post }, ...paths }, components: { schemas: { Key: { ...KEY, ...key } } } };
}

const NAME = { name: "page", in: "query" };
const ONLY_ID = { properties: { id: { type: "string" } } };
const withKind = (kind: object) => ({ properties: { ...KEY.properties, kind } });

test.each<[string, object, object, string[]]>([
  ["nothing", {}, {}, []],
  ["a new call", {}, { paths: { "/other": { get: { operationId: "other" } } } }, []],
  ["a new optional field of a request", {}, { body: withKind({ type: "string" }) }, []],
  ["a new field of a response", {}, { key: withKind({ type: "string" }) }, []],
  ["a new value of a response", { key: withKind({ enum: ["a"] }) }, { key: withKind({ enum: ["a", "b"] }) }, []],
  ["a call taken away", { paths: { "/other": { get: {} } } }, {}, ["GET /other was taken away."]],
  ["a renamed call", {}, { operation: { operationId: "keys.make" } }, ["POST /keys is called keys.make now."]],
  ["a parameter taken away", { parameters: [NAME] }, {}, ["POST /keys: the parameter query page was taken away."]],
  [
    "a parameter that became required",
    { parameters: [NAME] },
    { parameters: [{ ...NAME, required: true }] },
    ["POST /keys: the parameter query page is required now."],
  ],
  ["a field of a request taken away", {}, { body: ONLY_ID }, ["POST /keys: body.name was taken away."]],
  [
    "a field of a request that became required",
    {},
    { body: { required: ["id", "name"] } },
    ["POST /keys: body.name is required now."],
  ],
  [
    "a value that a request no longer takes",
    { body: withKind({ enum: ["a", "b"] }) },
    { body: withKind({ enum: ["a"] }) },
    ['POST /keys: body.kind no longer takes "b".'],
  ],
  ["a field of a response taken away", {}, { key: ONLY_ID }, ["POST /keys: 201.name was taken away."]],
  [
    "a field of a response that may be missing",
    {},
    { key: { required: [] } },
    ["POST /keys: 201.id may be missing now."],
  ],
  [
    "a field of a response that may be null",
    { key: withKind({ type: "string" }) },
    { key: withKind({ type: ["string", "null"] }) },
    ["POST /keys: 201.kind was string and is string or null now."],
  ],
  [
    "a body that became required",
    {},
    { operation: { requestBody: { required: true, content: {} } } },
    ["POST /keys: a body is required now."],
  ],
])("finds what breaks callers: %s", (_what, before, after, expected) => {
  expect(findBreakingChanges(contract(before), contract(after))).toEqual(expected);
});

test.each<[string, object, string[]]>([
  ["is not broken by one that gets another schema behind its own", {}, []],
  ["is broken by one whose own schema loses a field meanwhile", ONLY_ID, ["POST /keys: 201.name was taken away."]],
])("a caller of a response %s", (_what, key, expected) => {
  const schema = { oneOf: [{ $ref: "#/components/schemas/Key" }, { $ref: "#/components/schemas/Other" }] };
  const operation = { responses: { 201: { content: { "application/json": { schema } } } } };
  expect(findBreakingChanges(contract(), contract({ operation, key }))).toEqual(expected);
});

test("ends at schemas that contain themselves", () => {
  const tree = { key: { properties: { id: { type: "string" }, child: { $ref: "#/components/schemas/Key" } } } };
  expect(findBreakingChanges(contract(tree), contract(tree))).toEqual([]);
});
