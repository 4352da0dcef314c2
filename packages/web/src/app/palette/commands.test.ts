import { buildUser } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { ROUTES } from "#/config/routes.ts";
import type { KeyValueStore } from "#/lib/browser/storage.ts";
import {
  type Command,
  listCommands,
  scoreCommand,
  suggestCommands,
  toModelCommand,
  toReceiptCommand,
  toUserCommand,
} from "./commands.ts";
import { listOfferedRoutes } from "./offered-routes.ts";
import { readRecentCommands, rememberCommand } from "./recent-commands.ts";

const visitor = listCommands(ROUTES, null, "system");
const person = listCommands(ROUTES, buildUser({ role: "editor" }), "dark");
const admin = listCommands(ROUTES, buildUser({ is_admin: true }), "light");
/** The commands that fit, the best first. */
const findCommands = (commands: readonly Command[], typed: string) =>
  commands
    .filter((command) => scoreCommand(command, typed) > 0)
    .toSorted((a, b) => scoreCommand(b, typed) - scoreCommand(a, typed));
/** The acts that make something lasting. */
const MAKING = new Set(["new key", "new deployment", "invite"]);
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
  ["/confirm-email", false, false, false],
  ["/deployments/open", false, false, false],
  ["/account/payment-method-added", false, false, false],
  ["theme light", true, true, false],
  ["theme dark", true, false, true],
  ["help", true, true, true],
])("%s is listed for a visitor: %s, a user: %s, an admin: %s", (id, ...there) => {
  expect([visitor, person, admin].map((commands) => ids(commands).includes(id))).toEqual(there);
});

test.each([
  ["viewer", []],
  ["developer", ["new key"]],
  ["editor", ["new key", "new deployment"]],
  ["admin", ["new key", "new deployment", "invite"]],
] as const)("a %s is offered to make only what they may", (role, offered) => {
  const commands = ids(listCommands(ROUTES, buildUser({ role }), "system"));
  expect(commands.filter((id) => MAKING.has(id))).toEqual(offered);
  expect(commands).toContain("new chat");
});

test("an admin who acts as somebody else is offered nothing that the server would refuse them", () => {
  const acting = buildUser({ role: "admin", impersonated_by: "usr_9" });
  const commands = ids(listCommands(ROUTES, acting, "system"));
  expect(commands.filter((id) => MAKING.has(id))).toEqual([]);
});

test.each([true, false])("the blog is offered if it has posts: %s", (hasPosts) => {
  expect(ids(listCommands(listOfferedRoutes(ROUTES, hasPosts), null, "system")).includes("/blog")).toBe(hasPosts);
});

test("every command has a unique id, and no path contains a parameter", () => {
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
  ["billing", "/account"],
  ["cancel plan", "/account"],
  ["card", "/account/payment-methods"],
  ["team", "/account/organization"],
  ["make key", "new key"],
  ["new key", "new key"],
  ["make token", "new key"],
  ["start talk", "new chat"],
  ["deploy gpu", "/account/private-cloud/deployments"],
  ["log out", "log out"],
  ["exit", "log out"],
  ["mcp", "/account/organization/tools"],
  ["passkeys", "/account/change-password"],
  ["hotkeys", "help"],
])("%j finds %s first", (typed, id) => {
  expect(ids(findCommands(person, typed))[0]).toBe(id);
});

test.each(["", "   "])("%j lists all commands", (typed) => {
  expect(findCommands(person, typed)).toHaveLength(person.length);
});

test.each(["zzz", "<script>", "admin", "models zzz"])("%j lists nothing that the user may not open", (typed) => {
  expect(findCommands(person, typed)).toEqual([]);
});

test.each([
  ["invite", "invite"],
  ["add colleague", "invite"],
  ["dark", "theme dark"],
  ["refund", "/admin/invoices"],
  ["redirects", "/admin/route-rules"],
])("an admin finds by %j first: %s", (typed, id) => {
  expect(ids(findCommands(admin, typed))[0]).toBe(id);
});

test.each(admin.map(({ label, ...command }) => [label, command] as const))(
  "%s has words that are not in its label to be found by",
  (label, { keywords = "", id }) => {
    const known = `${label} ${id}`.toLowerCase();
    expect(keywords.split(" ").filter((word) => !known.includes(word.toLowerCase())).length).toBeGreaterThan(0);
  },
);

test("the id of a request leads to its receipt, and nothing else does", () => {
  expect(toReceiptCommand("req_4fJqM1t9ZkX2vLr8NwB6yH")?.action).toEqual({
    type: "go",
    to: "/account/usage?view=requests&request=req_4fJqM1t9ZkX2vLr8NwB6yH",
  });
  for (const typed of ["req_", "req_1", "xreq_4fJqM1t9Zk", "req_4fJq M1t9Zk", "req_4fJqM1t9/../x", "usage"])
    expect(toReceiptCommand(typed)).toBeNull();
});

test("a user whom the server found is opened for admins, with the organization that they may have been found by", () => {
  const user = { id: "usr_1", name: "Maria", email: "maria@example.com", organization_name: "Winter & Sons" };
  expect(toUserCommand(user)).toMatchObject({
    hint: "maria@example.com, Winter & Sons",
    action: { type: "go", to: "/admin/users/usr_1" },
  });
});

test("the command of a model opens its page", () => {
  expect(toModelCommand("Qwen/Qwen3-32B").action).toEqual({ type: "go", to: "/models/Qwen/Qwen3-32B" });
});

test("an empty query suggests the frequent actions and few pages, without duplicates", () => {
  const first = suggestCommands(person, []);
  expect(ids(first).slice(0, 3)).toEqual(["new chat", "new key", "new deployment"]);
  expect(first.length).toBeLessThan(20);
  const labels = first.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(first.filter(({ label }) => label === "Docs")).toHaveLength(1);
});

test("recent pages come first, if the visitor may still open them", () => {
  const entries = new Map<string, string>();
  const storage: KeyValueStore = {
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => Boolean(entries.set(key, value)),
    remove: (key) => void entries.delete(key),
  };
  for (const id of ["/admin/models", "/account/usage", "/status"])
    rememberCommand(storage, admin.find((command) => command.id === id) as Command);
  rememberCommand(storage, toModelCommand("Qwen/Qwen3-32B"));
  rememberCommand(storage, { id: "help", action: { type: "help" } });
  expect(ids(readRecentCommands(storage, person))).toEqual(["model Qwen/Qwen3-32B", "/status", "/account/usage"]);
  const first = suggestCommands(person, readRecentCommands(storage, person));
  expect(ids(first).filter((id) => id === "/status")).toHaveLength(1);
  expect(first[0]?.group).toBe("Recent");
});

test.each([
  ["deploiement", "Déploiements"],
  ["Réglages", "Reglages"],
  ["ubersicht", "Übersicht"],
])("%j finds %s: accents make no difference", (typed, label) => {
  const command = { id: "x", label } as Command;
  expect(scoreCommand(command, typed)).toBe(1);
});
