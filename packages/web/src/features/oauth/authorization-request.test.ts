import { expect, test } from "vitest";
import { describeDestination, parseAuthorizationRequest } from "./authorization-request.ts";

const GOOD = "client_id=app_1&redirect_uri=https://roost.example/cb&response_type=code";
const read = (query: string) => parseAuthorizationRequest(new URLSearchParams(query));

test("an authorization request is parsed without unknown parameters", () => {
  const query = `${GOOD}&scope=user.read+api.access&state=a%26b&code_challenge=x&code_challenge_method=S256&display=page`;
  expect(read(query)).toEqual({
    request: {
      client_id: "app_1",
      redirect_uri: "https://roost.example/cb",
      response_type: "code",
      scope: "user.read api.access",
      state: "a&b",
      code_challenge: "x",
      code_challenge_method: "S256",
    },
    promptMode: "when needed",
  });
});

test.each([
  ["", "client_id"],
  ["client_id=app_1", "redirect_uri"],
  ["redirect_uri=https://roost.example", "client_id"],
  [`client_id=&${GOOD.slice(16)}`, "client_id"],
  [`${GOOD}&client_id=app_2`, "client_id"],
  [`${GOOD}&redirect_uri=https://evil.example`, "redirect_uri"],
  [`${GOOD}&state=1&state=2`, "state"],
  [`${GOOD}&x=1&x=1`, "x"],
])("rejects %s because of its %s", (query, name) => {
  expect(read(query)).toContain(name);
});

test.each([
  ["none", "none"],
  ["none consent", "none"],
  ["consent", "always"],
  ["login", "always"],
  ["", "when needed"],
])("parses prompt=%s as %s", (prompt, promptMode) => {
  expect(read(`${GOOD}&prompt=${prompt}`)).toMatchObject({ promptMode });
});

test.each([
  ["https://roost.example/callback", "roost.example"],
  ["https://roost.example:8443/", "roost.example:8443"],
  ["https://roost.example@evil.example/", "evil.example"],
  ["https://r\u043e\u043est.example/", "xn--rst-seda.example"],
  ["http://127.0.0.1:51234/callback", "a program on this computer"],
  ["http://[::1]:1/", "a program on this computer"],
  ["http://localhost.evil.example/", "localhost.evil.example"],
  ["nonsense", "nonsense"],
])("describes the destination of %s as %s", (uri, destination) => {
  expect(describeDestination(uri)).toBe(destination);
});
