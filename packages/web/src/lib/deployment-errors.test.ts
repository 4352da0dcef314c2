import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { fieldErrors, loadErrorMessage } from "./deployment-errors.ts";

const KNOWN = ["name", "model_id", "max_replicas"];
const refused = (code: string, message: string, more: { status?: number; details?: Record<string, unknown> } = {}) =>
  new ApiError({ status: 409, requestId: null, code, message, ...more });

test.each([
  ["deployments.name_taken", "There is one.", "name"],
  ["deployments.too_large", "It takes 9 GB.", "model_id"],
  ["invalid_request", "max_replicas is not valid: this machine runs up to 8.", "max_replicas"],
])("assigns the error %s to its field: %s", (code, message, field) => {
  expect(fieldErrors(refused(code, message), KNOWN)).toEqual([{ field, message }]);
});

test("assigns a message to every field that the server names", () => {
  const fields = [
    { field: "name", message: "name is not valid." },
    { field: "max_replicas", message: "max_replicas is not valid." },
    { field: "elsewhere", message: "no" },
  ];
  expect(fieldErrors(refused("invalid_request", "x", { details: { fields } }), KNOWN)).toEqual(fields.slice(0, 2));
});

test.each([
  refused("deployments.limit_reached", "An organization may have 100."),
  refused("invalid_request", "region is not valid."),
  new TypeError("network"),
])("assigns errors without a field to none: %s", (error) => {
  expect(fieldErrors(error, KNOWN)).toEqual([]);
});

test("a list that the server failed to read cannot be read just now", () => {
  expect(loadErrorMessage(refused("x", "stack trace", { status: 500 }), "The list")).toBe(
    "The list cannot be read just now.",
  );
});
