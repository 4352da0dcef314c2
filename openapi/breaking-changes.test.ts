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

const REF = { $ref: "#/components/schemas/Key" };
const OTHER = { $ref: "#/components/schemas/Other" };
const either = (...oneOf: object[]) => ({ oneOf });

test.each<[string, object, object, string[]]>([
  ["gets an alternative behind its only form", REF, either(REF, OTHER), ["POST /keys: 201 may be Other now."]],
  ["gets an alternative before its only form", REF, either(OTHER, REF), ["POST /keys: 201 may be Other now."]],
  ["gets a further alternative", either(REF), either(REF, OTHER), ["POST /keys: 201 may be Other now."]],
  ["may be null as an alternative", REF, either(REF, { type: "null" }), ["POST /keys: 201 may be null now."]],
  ["loses an alternative", either(OTHER, REF), either(REF), []],
  ["loses all alternatives but one", either(OTHER, REF), REF, []],
  ["has its alternatives in another order", either(REF, OTHER), either(OTHER, REF), []],
])("compares the alternatives of a response that %s", (_what, before, after, expected) => {
  const responses = (schema: object) => ({ 201: { content: { "application/json": { schema } } } });
  expect(
    findBreakingChanges(withOther({ responses: responses(before) }), withOther({ responses: responses(after) })),
  ).toEqual(expected);
});

test.each<[string, object, object, string[]]>([
  ["gets an alternative behind its only form", REF, either(REF, OTHER), []],
  ["gets an alternative before its only form", REF, either(OTHER, REF), []],
  ["gets a further alternative", either(REF), either(REF, OTHER), []],
  ["loses an alternative", either(REF, OTHER), either(REF), ["POST /keys: body no longer takes Other."]],
  ["loses all alternatives but one", either(REF, OTHER), REF, ["POST /keys: body no longer takes Other."]],
])("compares the alternatives of a request that %s", (_what, before, after, expected) => {
  const requestBody = (schema: object) => ({ content: { "application/json": { schema } } });
  expect(
    findBreakingChanges(
      withOther({ requestBody: requestBody(before) }),
      withOther({ requestBody: requestBody(after) }),
    ),
  ).toEqual(expected);
});

test("compares an alternative with what the only form was before", () => {
  const schema = either(REF, OTHER);
  const operation = { responses: { 201: { content: { "application/json": { schema } } } } };
  expect(findBreakingChanges(contract(), withOther(operation, ONLY_ID))).toEqual([
    "POST /keys: 201.name was taken away.",
    "POST /keys: 201 may be Other now.",
  ]);
});

/** The contract with a second schema, `Other`. */
function withOther(operation: object, key: object = {}) {
  const { paths, components } = contract({ operation, key });
  const Other = { type: "object", properties: { other: { type: "string" } } };
  return { paths, components: { schemas: { ...components.schemas, Other } } };
}

test("ends at schemas that contain themselves", () => {
  const tree = { key: { properties: { id: { type: "string" }, child: { $ref: "#/components/schemas/Key" } } } };
  expect(findBreakingChanges(contract(tree), contract(tree))).toEqual([]);
});
