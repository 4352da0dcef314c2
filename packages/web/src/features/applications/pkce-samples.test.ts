import { expect, test } from "vitest";
import { createPkceSamples } from "./pkce-samples.ts";

const client = {
  id: "app_1",
  redirectUri: "https://roost.example/cb",
  scopes: ["user.read", "api.access"],
  isPublic: false,
};
const codeOf = (change: object, name: string) =>
  createPkceSamples({ ...client, ...change }, "https://feather.example").find((sample) => sample.name === name)?.code ??
  "";

test.each(["TypeScript", "Python", "curl"])("the %s sample contains client id and redirect URI", (name) => {
  const code = codeOf({}, name);
  expect(code).toContain("app_1");
  expect(code).toContain("https://roost.example/cb");
  expect(code).toContain("https://feather.example/api/oauth/token");
});

test.each(["TypeScript", "Python", "curl"])("the %s sample sends a secret only for confidential clients", (name) => {
  expect(codeOf({}, name)).toContain("CLIENT_SECRET");
  expect(codeOf({ isPublic: true }, name)).not.toContain("CLIENT_SECRET");
});

test("quotes in a redirect URI are escaped in each language", () => {
  const redirectUri = `https://roost.example/?a='"$(id)`;
  expect(codeOf({ redirectUri }, "curl")).toContain(`'redirect_uri=https://roost.example/?a='\\''"$(id)'`);
  expect(codeOf({ redirectUri }, "Python")).toContain(JSON.stringify(redirectUri));
  expect(codeOf({ redirectUri }, "TypeScript")).toContain(JSON.stringify(redirectUri));
});
