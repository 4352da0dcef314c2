import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { toPageError } from "./page-error.ts";

const refusal = (code: string | null) => new ApiError({ status: 402, message: "Top up.", code, requestId: "req_1" });

test.each([
  [
    refusal("no_credits"),
    { statusCode: 402, message: "Top up.", requestId: "req_1", data: '{"code":"no_credits","message":"Top up."}' },
  ],
  [refusal(null), { statusCode: 402, message: "Top up.", requestId: "req_1" }],
  [new TypeError("It broke."), { statusCode: 500, message: "It broke." }],
  ["words", { statusCode: 500, message: "words" }],
  [undefined, { statusCode: 500, message: "undefined" }],
])("converts %s to an error for the page", (thrown, error) => {
  expect(toPageError(thrown)).toEqual(error);
});
