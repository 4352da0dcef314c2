import { expect, test } from "vitest";
import { errorText } from "./error-view.tsx";

test.each([
  ["404 is 'Not found'", { statusCode: 404, message: "gone" }, "Not found"],
  ["an unmatched route names the path", { statusCode: 404, message: "Page Not Found: /x" }, "Page Not Found: /x"],
  [
    "data with code and message",
    { statusCode: 402, data: '{"code":"no_credits","message":"Top up."}', statusMessage: "Payment Required" },
    "Top up. (code: no_credits)",
  ],
  [
    "data that is no JSON falls back to the status message",
    { statusCode: 500, data: "oops", statusMessage: "Server Error", message: "m" },
    "Server Error",
  ],
  ["else the message", { statusCode: 500, message: "It broke." }, "It broke."],
])("%s", (_, error, text) => {
  expect(errorText(error)).toBe(text);
});
