import { expect, test } from "vitest";
import { ROUTES } from "#/config/routes.ts";
import type { TextStore } from "#/lib/storage.ts";
import { type Command, commandsOf, findCommands, firstCommands, toModelCommand } from "./commands.ts";
import { recentCommands, remember } from "./recents.ts";

const visitor = commandsOf(ROUTES, null, "system");
const person = commandsOf(ROUTES, { is_admin: false }, "dark");
const admin = commandsOf(ROUTES, { is_admin: true }, "light");
const ids = (commands: readonly Command[]) => commands.map(({ id }) => id);

test.each([
  ["/", true, true, true],
  ["/models", true, true, true],
  ["/docs/quickstart", true, true, true],
  ["/login", true, false, false],
  ["/account/api-keys", false, true, true],
  ["/admin/models", false, false, true],
  ["log out", false, true, true],
  ["/oauth/authorize", false, false, false],
  ["/account/payment-method-added", false, false, false],
  ["theme light", true, true, false],
  ["theme dark", true, false, true],
  ["help", true, true, true],
])("%s is there for a visitor: %s, a user: %s, an admin: %s", (id, ...there) => {
  expect([visitor, person, admin].map((commands) => ids(commands).includes(id))).toEqual(there);
});

test("every command has an id of its own, and none leads to an address with a hole in it", () => {
  expect(new Set(ids(admin)).size).toBe(admin.length);
  expect(ids(admin).filter((id) => /[:*]/.test(id))).toEqual([]);
});

test.each([
  ["api keys", "/account/api-keys"],
  ["API KEYS", "/account/api-keys"],
  ["keys api", "/account/api-keys"],
  ["usage", "/account/usage"],
  ["sign out", "log out"],
  ["light", "theme light"],
  ["mod", "/models"],
])("%j finds %s first", (typed, id) => {
  expect(ids(findCommands(person, typed))[0]).toBe(id);
});

test.each(["", "   "])("%j finds all", (typed) => {
  expect(findCommands(person, typed)).toHaveLength(person.length);
});

test.each(["zzz", "<script>", "admin", "models zzz"])("%j finds nothing that a user may not do", (typed) => {
  expect(findCommands(person, typed)).toEqual([]);
});

test("a model is a page to go to", () => {
  expect(toModelCommand("Qwen/Qwen3-32B").deed).toEqual({ does: "go", to: "/models/Qwen/Qwen3-32B" });
});

test("before anything is typed it offers what is begun most often, and few places, each once", () => {
  const first = firstCommands(person, []);
  expect(ids(first).slice(0, 3)).toEqual(["new chat", "new key", "new deployment"]);
  expect(first.length).toBeLessThan(20);
  const labels = first.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(first.filter(({ label }) => label === "Docs")).toHaveLength(1);
});

test("the places that were chosen last stand first, as far as they may be opened", () => {
  const kept = new Map<string, string>();
  const storage: TextStore = {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => Boolean(kept.set(key, value)),
    remove: (key) => void kept.delete(key),
  };
  for (const id of ["/admin/models", "/account/usage", "/status"])
    remember(storage, admin.find((command) => command.id === id) as Command);
  remember(storage, toModelCommand("Qwen/Qwen3-32B"));
  remember(storage, { id: "help", deed: { does: "help" } });
  expect(ids(recentCommands(storage, person))).toEqual(["model Qwen/Qwen3-32B", "/status", "/account/usage"]);
  const first = firstCommands(person, recentCommands(storage, person));
  expect(ids(first).filter((id) => id === "/status")).toHaveLength(1);
  expect(first[0]?.group).toBe("Recent");
});
