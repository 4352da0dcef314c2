import { sendJson } from "@feather/testing/http-server";
import { expect, test } from "vitest";
import {
  ApiError,
  errorFrom,
  isApiError,
  isNotFound,
  isRateLimited,
  isUnauthorized,
  retryAfter,
  ServerError,
} from "./errors.ts";
import { startTestClient } from "./testing/client.ts";

const NOW = Date.parse("2026-11-29T12:00:00Z");

test.each<[string, Record<string, string>, number | null]>([
  ["no header", {}, null],
  ["seconds", { "retry-after": "7" }, 7_000],
  ["part of a second", { "retry-after": "0.5" }, 500],
  ["no seconds", { "retry-after": "0" }, 0],
  ["negative seconds", { "retry-after": "-5" }, null],
  ["an HTTP date", { "retry-after": "Sun, 29 Nov 2026 12:00:30 GMT" }, 30_000],
  ["a date of RFC 850", { "retry-after": "Sunday, 29-Nov-26 12:00:30 GMT" }, 30_000],
  ["a past date", { "retry-after": "Sun, 29 Nov 2026 11:00:00 GMT" }, 0],
  ["an empty header", { "retry-after": "" }, null],
  ["two headers, which arrive joined", { "retry-after": "5, 5" }, null],
  ["seconds with their unit", { "retry-after": "30 seconds" }, null],
  ["a word", { "retry-after": "soon" }, null],
  ["milliseconds before seconds", { "retry-after-ms": "1234", "retry-after": "9" }, 1_234],
  ["empty milliseconds", { "retry-after-ms": "", "retry-after": "9" }, 9_000],
  ["milliseconds that are none", { "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
  ["endless milliseconds", { "retry-after-ms": "Infinity" }, null],
])("the wait for %s", (_, headers, wait) => {
  expect(retryAfter(new Headers(headers), NOW)).toBe(wait);
});

test.each<[string, string]>([
  ["nothing", ""],
  ["a text", "Bad Gateway"],
  ["a JSON text", '"Bad Gateway"'],
  ["a number", "502"],
  ["null", "null"],
  ["a list", "[1]"],
  ["an object of another server", '{"detail":"Not here"}'],
  ["an error of null", '{"error":null}'],
  ["an error that is a list", '{"error":["x"]}'],
  ["a message that is no text", '{"message":{"text":"x"}}'],
  ["data that is no JSON", '{"data":"<xml>"}'],
  ["data that is a number", '{"data":"5"}'],
  ["half a JSON", '{"error":{"message":"cut'],
])("an error whose body is %s has the status in its message, and no code", (_, body) => {
  const error = errorFrom(502, new Headers({ "request-id": "req_1" }), body);
  expect(error).toBeInstanceOf(ServerError);
  expect(error).toMatchObject({
    status: 502,
    message: "The server answered with status 502.",
    code: null,
    param: null,
    requestId: "req_1",
    details: {},
    fields: [],
    retryAfterMs: null,
  });
});

test.each(["<html>", "\n\n  <!DOCTYPE html>", "<?xml version='1.0'?>"])(
  "an error whose body begins with %j names the base URL as the likely mistake",
  (body) => {
    expect(errorFrom(502, new Headers(), body).message).toMatch(/web page \(status 502\).*Check the base URL/);
  },
);

test("a page of a proxy that begins with empty lines, in place of an answer, names the base URL", async () => {
  using server = await startTestClient(
    (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("\n\n<!doctype html>"),
  );
  await expect(server.feather.models.stats()).rejects.toThrow(/web page \(status 200\).*Check the base URL/);
});

test.each<[number, string]>([
  [400, "BadRequestError"],
  [401, "AuthenticationError"],
  [402, "PaymentRequiredError"],
  [403, "PermissionDeniedError"],
  [404, "NotFoundError"],
  [409, "ConflictError"],
  [418, "ApiError"],
  [422, "UnprocessableError"],
  [429, "RateLimitError"],
  [500, "ServerError"],
  [503, "ServerError"],
  [529, "ServerError"],
])("status %i throws %s, whose name is that of its class", (status, name) => {
  const error = errorFrom(status, new Headers(), "{}");
  expect([error.name, error.constructor.name, error.status]).toEqual([name, name, status]);
  expect(isApiError(error)).toBe(true);
  expect([isUnauthorized(error), isNotFound(error), isRateLimited(error)]).toEqual(
    [401, 404, 429].map((one) => one === status),
  );
});

test("a code that the SDK does not know is kept as it is", () => {
  const body = JSON.stringify({ error: { message: "No.", code: "made_up_tomorrow", param: "model" } });
  expect(errorFrom(400, new Headers(), body)).toMatchObject({
    code: "made_up_tomorrow",
    param: "model",
    message: "No.",
  });
});

test("the request id of the header counts before that of the body, which counts when a proxy dropped the header", () => {
  const body = JSON.stringify({ error: { message: "No.", request_id: "req_body" } });
  expect(errorFrom(400, new Headers({ "request-id": "req_header" }), body).requestId).toBe("req_header");
  expect(errorFrom(400, new Headers(), body).requestId).toBe("req_body");
});

test("errors of other kinds are no API errors", () => {
  expect([new Error("x"), null, undefined, { status: 404 }].map(isApiError)).toEqual([false, false, false, false]);
});

test("an error has the wait, the headers and a trace to the call", async () => {
  using server = await startTestClient((_, response) =>
    sendJson(response, 429, { error: { message: "Slow down.", code: "x" } }, { "retry-after": "2", "x-trace": "7" }),
  );
  const error: unknown = await server.feather.models.stats().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ retryAfterMs: 2_000, message: "Slow down." });
  expect((error as ApiError).headers.get("x-trace")).toBe("7");
});
