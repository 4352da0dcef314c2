import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { isOpenAIPath, renderError } from "./envelopes.ts";
import { AppError, errors } from "./index.ts";
import { describeCause, messageOf } from "./message-of.ts";

const REQUEST = "req_1";
const NOT_FOUND = errors.notFound();
const REFUSED = errors.invalidRequest("It is too long.", { param: "name", details: { max: 5 } });
const withStatus = (status: number, code = "odd") => new AppError(status, code, "It failed.");

/** Returns the kind of envelope in which errors of a path are sent. */
function envelopeOf(path: string): string {
  const body = renderError(NOT_FOUND, path, REQUEST);
  if ("statusCode" in body) return "site";
  if ("error_description" in body) return "OAuth";
  return "type" in body ? "Anthropic" : "OpenAI";
}

test.each([
  ["/v1/chat/completions", "OpenAI"],
  ["/api/v1/models", "OpenAI"],
  ["/api/v1/models?limit=1", "OpenAI"],
  ["/api/deployments/dep_1/v1/chat/completions", "OpenAI"],
  ["/api/deployments/dep_1/v1", "site"],
  ["/api/deployments/a/b/v1/chat/completions", "site"],
  ["/v1/messages", "Anthropic"],
  ["/api/v1/messages", "Anthropic"],
  ["/api/v1/messages/count_tokens", "Anthropic"],
  ["/v1/messages?beta=true", "Anthropic"],
  // Anthropic's SDK adds /v1 to a base address that ends with it.
  ["/v1/v1/messages", "Anthropic"],
  ["/v1/messages2", "OpenAI"],
  ["/api/oauth/token", "OAuth"],
  ["/api/oauth/token/", "OAuth"],
  ["/api/oauth/authorize?client_id=x", "OAuth"],
  ["/api/oauth/revoke", "OAuth"],
  ["/api/oauth/device", "OAuth"],
  ["/api/oauth/device/verify", "site"],
  ["/api/oauth/tokens", "site"],
  ["/api/feather/models", "site"],
  ["/v1", "site"],
  ["/models/v1/x", "site"],
  ["/", "site"],
])("errors of %s are sent in the envelope of %s", (path, envelope) => expect(envelopeOf(path)).toBe(envelope));

test("calls to models and to deployments use OpenAI's form", () => {
  expect(["/v1/x", "/api/v1/x", "/api/deployments/d/v1/x", "/api/v1", "/api/x"].map(isOpenAIPath)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
});

describe("the content of an error", () => {
  test("OpenAI's envelope has type, parameter, code, details and the id of the request", () => {
    expect(renderError(REFUSED, "/v1/models", REQUEST)).toEqual({
      error: {
        message: "It is too long.",
        type: "invalid_request_error",
        param: "name",
        code: "invalid_request",
        request_id: REQUEST,
        details: { max: 5 },
      },
    });
  });

  test("OpenAI's envelope has a parameter of null, and no details, where the error has none", () => {
    const { error } = renderError(NOT_FOUND, "/v1/models", REQUEST) as { error: object };
    expect(error).toMatchObject({ param: null });
    expect(error).not.toHaveProperty("details");
  });

  test("the site's envelope has the status, and code and details as JSON text", () => {
    expect(renderError(REFUSED, "/api/feather/models", REQUEST)).toEqual({
      statusCode: 400,
      statusMessage: "Bad Request",
      message: "It is too long.",
      data: JSON.stringify({ code: "invalid_request", message: "It is too long.", details: { max: 5 } }),
    });
  });

  test("Anthropic's envelope has the parameter only where there is one", () => {
    expect(renderError(REFUSED, "/v1/messages", REQUEST)).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", param: "name", details: { max: 5 } },
      request_id: REQUEST,
    });
    expect(renderError(NOT_FOUND, "/v1/messages", REQUEST)).not.toHaveProperty("error.param");
  });

  test.each([
    [400, "invalid_request_error", "invalid_request_error"],
    [401, "authentication_error", "authentication_error"],
    [402, "billing_error", "billing_error"],
    [403, "permission_error", "permission_error"],
    [404, "invalid_request_error", "not_found_error"],
    [413, "invalid_request_error", "request_too_large"],
    [422, "content_policy_error", "invalid_request_error"],
    [429, "rate_limit_error", "rate_limit_error"],
    [500, "server_error", "api_error"],
    [502, "server_error", "api_error"],
    [503, "server_error", "overloaded_error"],
    [504, "server_error", "timeout_error"],
  ])("an error with the status %i is %s for OpenAI's clients and %s for Anthropic's", (status, openai, anthropic) => {
    expect(renderError(withStatus(status), "/v1/x", REQUEST)).toMatchObject({ error: { type: openai } });
    expect(renderError(withStatus(status), "/v1/messages", REQUEST)).toMatchObject({ error: { type: anthropic } });
  });

  test.each([
    [withStatus(400, "authorization_pending"), "authorization_pending"],
    [withStatus(400, "slow_down"), "slow_down"],
    [withStatus(400), "invalid_request"],
    [withStatus(401), "login_required"],
    [withStatus(403), "access_denied"],
    [withStatus(429), "slow_down"],
    [withStatus(500), "server_error"],
    [withStatus(503), "temporarily_unavailable"],
  ])("OAuth's clients get a code of their standard: %s", (error, code) => {
    expect(renderError(error, "/api/oauth/token", REQUEST)).toEqual({ error: code, error_description: "It failed." });
  });

  test("the description for OAuth's clients has only characters that the standard allows", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (message) => {
        const body = renderError(new AppError(400, "odd", message), "/api/oauth/token", REQUEST);
        expect((body as { error_description: string }).error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
      }),
    );
  });
});

describe("the message of an error for operators", () => {
  test("an error without a message of its own says what each address answered", () => {
    const refusals = ["connect ECONNREFUSED ::1:5432", "connect ECONNREFUSED 127.0.0.1:5432"].map(
      (text) => new Error(text),
    );
    expect(messageOf(new AggregateError(refusals))).toBe(`${refusals[0]?.message}; ${refusals[1]?.message}`);
    expect(messageOf(new AggregateError(refusals, "It failed."))).toBe("It failed.");
  });

  test.each([
    ["text", "text"],
    [undefined, "undefined"],
    [null, "null"],
    [{}, "[object Object]"],
  ])("a thrown value that is no error is written as text: %s", (thrown, text) => expect(messageOf(thrown)).toBe(text));

  test("causes follow their error", () => {
    const cause = new Error("connect ECONNREFUSED 10.0.0.5:443");
    const error = new Error("fetch failed", { cause });
    expect(describeCause(new Error("The hub cannot be reached.", { cause: error }))).toBe(
      "The hub cannot be reached.: fetch failed: connect ECONNREFUSED 10.0.0.5:443",
    );
    expect(describeCause("text")).toBe("text");
  });
});
