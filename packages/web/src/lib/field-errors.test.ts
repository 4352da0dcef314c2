import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { createFieldLookup, listFieldErrors } from "./field-errors.ts";

const refused = (code: string, message: string, more: { param?: string; details?: Record<string, unknown> } = {}) =>
  new ApiError({ status: 409, requestId: null, code, message, ...more });
const list = (error: unknown) =>
  listFieldErrors(error, createFieldLookup(["name", "model_id", "scopes"], { hf_token: "token" }), {
    "deployments.too_large": "model_id",
  });

test("assigns a message to every field that the server names, under the form's name", () => {
  const fields = [
    { field: "name", message: "name is not valid." },
    { field: "hf_token", message: "hf_token is not valid." },
    { field: "elsewhere", message: "no" },
  ];
  expect(list(refused("invalid_request", "x", { details: { fields } }))).toEqual([
    { field: "name", message: "name is not valid." },
    { field: "token", message: "hf_token is not valid." },
  ]);
});

test.each(["scopes", "scopes.0", "scopes[0]", "/scopes/0"])("assigns a message for %s to the whole field", (field) => {
  expect(list(refused("invalid_request", "x", { details: { fields: [{ field, message: "no" }] } }))).toEqual([
    { field: "scopes", message: "no" },
  ]);
});

test.each([
  ["the parameter", refused("invalid_request", "Taken.", { param: "name" }), "name"],
  ["the message", refused("invalid_request", "model_id is not valid: it is not here."), "model_id"],
  ["the code", refused("deployments.too_large", "It takes 9 GB."), "model_id"],
])("takes the field from %s of an error without a list of fields", (_, error, field) => {
  expect(list(error)).toEqual([{ field, message: error.message }]);
});

test.each([
  refused("deployments.limit_reached", "An organization may have 100."),
  refused("invalid_request", "region is not valid."),
  refused("invalid_request", "x", { param: "region" }),
  new TypeError("network"),
])("assigns errors without a field of the form to none: %s", (error) => {
  expect(list(error)).toEqual([]);
});
