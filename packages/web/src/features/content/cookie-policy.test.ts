import { expect, test } from "vitest";

const policy = Object.values(
  import.meta.glob<string>("../../../content/legal/cookie-policy.md", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).join("");
const sources = import.meta.glob<string>(["../../**/*.{ts,tsx}", "!../../**/*.test.{ts,tsx}"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The names under which a file keeps something in the browser. */
function namesIn(source: string): string[] {
  if (!/TextStore|[sS]torage|COOKIE|openDB/.test(source)) return [];
  const fixed = /const \w*(?:KEYS?|COOKIE) = "([\w-]+)"/g;
  const withId = /`((?:chat|review)-draft|feather-chat-)/g;
  return [fixed, withId].flatMap((pattern) => [...source.matchAll(pattern)].map(([, name = ""]) => name));
}

const names = [...new Set(Object.values(sources).flatMap(namesIn))];

const serverSources = import.meta.glob<string>(
  ["../../../../server/src/**/*.ts", "!../../../../server/src/**/*.test.ts"],
  { query: "?raw", import: "default", eager: true },
);
const serverCookies = Object.values(serverSources).flatMap((source) =>
  [...source.matchAll(/const \w*COOKIE = "([\w-]+)"/g)].map(([, name = ""]) => name),
);

test.each(names)("the cookie policy lists %s, which the site stores in the browser", (name) => {
  expect(policy).toContain(`\`${name}`);
});

test.each(serverCookies)("the cookie policy lists %s, which the server sets", (name) => {
  expect(policy).toContain(`\`${name}\``);
});

test("the source scan finds the names of cookies and storage keys", () => {
  expect(serverCookies).toEqual(expect.arrayContaining(["session", "device", "passkey_visit", "sign_in_visit"]));
  expect(names).toEqual(expect.arrayContaining(["theme", "locale", "chat-draft", "impersonate_as"]));
});
