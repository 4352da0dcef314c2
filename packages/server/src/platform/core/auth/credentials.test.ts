import { describe, expect, test } from "vitest";
import { type CredentialSources, readCredential } from "./credentials.ts";

const none: CredentialSources = {
  authorization: undefined,
  apiKeyHeader: undefined,
  sessionCookie: undefined,
  query: {},
};
const present = (sources: Partial<CredentialSources>) => readCredential({ ...none, ...sources });

describe("readCredential", () => {
  test("readCredential returns null for a request without a credential", () => {
    expect(present({})).toBeNull();
    expect(present({ authorization: "", apiKeyHeader: "", sessionCookie: "" })).toBeNull();
  });

  test.each([
    ["the Authorization header", { authorization: "Bearer rc_1" }, { secret: "rc_1", from: "header" }],
    ["a scheme in small letters", { authorization: "bearer   rc_1" }, { secret: "rc_1", from: "header" }],
    ["x-api-key", { apiKeyHeader: "rc_1" }, { secret: "rc_1", from: "header" }],
    [
      "a key beside the token of another service",
      { authorization: "Bearer sk-ant-oat01-x", apiKeyHeader: "rc_1" },
      { secret: "rc_1", from: "header" },
    ],
    [
      "a key beside another service's in x-api-key",
      { authorization: "Bearer rc_1", apiKeyHeader: "sk-1" },
      { secret: "rc_1", from: "header" },
    ],
    ["the cookie", { sessionCookie: "ses_1" }, { secret: "ses_1", from: "cookie" }],
    [
      "the same secret twice",
      { authorization: "Bearer rc_1", apiKeyHeader: "rc_1" },
      { secret: "rc_1", from: "header" },
    ],
    [
      "the same session as header and cookie",
      { authorization: "Bearer ses_1", sessionCookie: "ses_1" },
      { secret: "ses_1", from: "header" },
    ],
  ])("readCredential accepts %s", (_what, sources, expected) => {
    expect(present(sources)).toEqual(expected);
  });

  test.each([
    ["two keys", { authorization: "Bearer rc_1", apiKeyHeader: "rc_2" }],
    ["a key and another session", { authorization: "Bearer rc_1", sessionCookie: "ses_1" }],
    ["two tokens of other services", { authorization: "Bearer sk-1", apiKeyHeader: "sk-2" }],
    ["the token of another service and a session", { authorization: "Bearer sk-1", sessionCookie: "ses_1" }],
    ["x-api-key sent twice", { authorization: "Bearer rc_1", apiKeyHeader: ["rc_1", "rc_2"] }],
    ["a key in the query", { query: { api_key: "rc_1" } }],
    ["a token in the query beside a good header", { authorization: "Bearer rc_1", query: { access_token: "rc_1" } }],
    ["a session in the query", { query: { token: "ses_1" } }],
  ])("readCredential rejects %s with 400", (_what, sources) => {
    expect(() => present(sources)).toThrow(expect.objectContaining({ status: 400 }));
  });

  test.each([
    "Basic dXNlcjpwdw==",
    "rc_1",
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer a,b",
    "Bearer rc_1, Bearer rc_2",
    "Bearer rc_1\0 x",
  ])("readCredential rejects the header %j with 401", (authorization) => {
    expect(() => present({ authorization })).toThrow(expect.objectContaining({ status: 401 }));
  });

  test("readCredential accepts other values in parameters of those names", () => {
    expect(present({ query: { key: "value", token: "invite" } })).toBeNull();
  });
});
