import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { faultText, fieldFaults, readFault, UNREACHED } from "./faults.ts";

const KNOWN = ["name", "model_id", "max_replicas"];
const refused = (code: string, message: string, more: { status?: number; details?: Record<string, unknown> } = {}) =>
  new ApiError({ status: 409, requestId: null, code, message, ...more });

test.each([
  ["deployments.name_taken", "There is one.", "name"],
  ["deployments.too_large", "It takes 9 GB.", "model_id"],
  ["invalid_request", "max_replicas is not valid: this machine runs up to 8.", "max_replicas"],
])("%s is said at the field: %s", (code, message, field) => {
  expect(fieldFaults(refused(code, message), KNOWN)).toEqual([{ field, message }]);
});

test("every field that the server names gets its message", () => {
  const fields = [
    { field: "name", message: "name is not valid." },
    { field: "max_replicas", message: "max_replicas is not valid." },
    { field: "elsewhere", message: "no" },
  ];
  expect(fieldFaults(refused("invalid_request", "x", { details: { fields } }), KNOWN)).toEqual(fields.slice(0, 2));
});

test.each([
  refused("deployments.limit", "An organization may have 100."),
  refused("invalid_request", "region is not valid."),
  new TypeError("network"),
])("what is about no field stands above the form: %s", (error) => {
  expect(fieldFaults(error, KNOWN)).toEqual([]);
});

test("errors are told in the server's words, or say that it was not reached", () => {
  expect(faultText(refused("x", "No room."))).toBe("No room.");
  expect(faultText(new TypeError("fetch failed"))).toBe(UNREACHED);
  expect(readFault(refused("x", "stack trace", { status: 500 }), "The list")).toBe("The list cannot be read just now.");
});
