import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { errorMessage } from "./error-message.ts";

const createError = (status: number, requestId: string | null = null) =>
  new ApiError({ status, message: "boom", code: null, requestId });

test.each<[string, unknown, string]>([
  ["a refusal is told as it is", createError(409), "boom"],
  ["a failure of the server is ours to word", createError(500), "The server failed at this."],
  [
    "and named by its request",
    createError(502, "req_1"),
    "The server failed at this. Its log has it as request req_1.",
  ],
  ["no answer", new TypeError("fetch"), "The server cannot be reached. Check the connection and try again."],
])("shows the right message: %s", (_, error, message) => {
  expect(errorMessage(error)).toBe(message);
});
