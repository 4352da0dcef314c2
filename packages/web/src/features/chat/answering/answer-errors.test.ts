import { ConnectionError, errorFrom, StreamTruncatedError } from "@feather/sdk";
import { expect, test } from "vitest";
import { explainError } from "./answer-errors.ts";
import { toAnswerError } from "./run-answer.ts";

const apiError = (code: string, status: number, details = {}) => ({
  code,
  status,
  message: "Said.",
  requestId: null,
  details,
});

test.each([
  [apiError("concurrency_limit_exceeded", 429), "All units are in use", "wait"],
  [apiError("model_not_on_plan", 403), "Not on your plan", "plans"],
  [apiError("model_gated_needs_oauth", 403), "Gated by its publisher", "unlock"],
  [apiError("context_length_exceeded", 400), "The conversation is too long for this model", "shorten"],
  [apiError("plan_context_exceeded", 403), "The conversation is too long for your plan", "shorten"],
  [apiError("insufficient_credits", 402), "The credits are used up", "credits"],
  [apiError("budget_exceeded", 402), "The spend limit is reached", "budgets"],
  [apiError("unsupported_modality", 400), "This model does not take images", "other-model"],
  [apiError("payload_too_large", 413), "The request is too large", "shorten"],
  [apiError("unauthorized", 401), "Your session has ended", "log-in"],
  [apiError("anything_new", 500), "The backend failed", "again"],
  [apiError("anything_new", 418), "The request was refused", "again"],
  [apiError("unreachable", 0), "The server cannot be reached", "again"],
])("explains %o with its title and offers the right action first", (given, title, remedy) => {
  const explanation = explainError(given, { text: "" });
  expect(explanation.title).toBe(title);
  expect(explanation.actions[0]).toBe(remedy);
});

test("the explanation of an error shows the units in use if the error has them", () => {
  const numbers = { used: 3, limit: 4, cost: 2 };
  expect(explainError(apiError("concurrency_limit_exceeded", 429, numbers), { text: "" }).message).toBe(
    "3 of 4 are busy and this model needs 2.",
  );
  expect(explainError(apiError("concurrency_limit_exceeded", 429), { text: "" }).message).toBe("Said.");
});

test("the explanation of an error offers to continue only if the answer has text", () => {
  expect(explainError(apiError("broken_off", 0), { text: "Air" }).actions).toContain("go-on");
  const explanation = explainError(apiError("broken_off", 0), { text: "" });
  expect(explanation.actions).not.toContain("go-on");
  expect(explanation.advice).toBe("Ask again.");
});

const inStream = errorFrom(
  200,
  new Headers(),
  '{"error":{"message":"Broke.","code":"upstream_error","request_id":"req_1"}}',
);

test.each([
  [inStream, true, { code: "upstream_error", status: 502, requestId: "req_1" }],
  [errorFrom(500, new Headers(), "<html>"), false, { code: "http_500", status: 500 }],
  [new StreamTruncatedError("a"), false, { code: "broken_off", status: 0 }],
  [new ConnectionError("gone"), true, { code: "broken_off" }],
  [new ConnectionError("gone"), false, { code: "unreachable", message: "gone" }],
  ["text", false, { code: "unreachable", message: "text" }],
])("converts %o to the stored error", (error, hasStarted, expected) => {
  expect(toAnswerError(error, hasStarted, 0)).toMatchObject(expected);
});

test.each([
  [{ "retry-after": "12" }, {}, 1_012_000],
  [{ "retry-after": "30" }, { reset_in_seconds: 7200 }, 8_200_000],
  [{}, {}, null],
])("computes the time of the retry with the local clock: %j %j", (headers, details, retryAt) => {
  const text = JSON.stringify({ error: { message: "Later.", code: "rate_limit_exceeded", details } });
  expect(toAnswerError(errorFrom(429, new Headers(headers), text), false, 1_000_000).retryAt).toBe(retryAt);
});

test("the explanation of an error does not say the same in title and message", () => {
  const error = { ...apiError("upstream_error", 502), message: "The backend failed (status 500)." };
  const { title, message, advice } = explainError(error, { text: "" });
  expect([title, message, advice]).toEqual(["The backend failed (status 500)", "", "Ask again."]);
});
