import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import type { RouteSpec } from "#/config/routes.ts";
import type { Theme } from "#/lib/theme.ts";

/** What a command does. */
export type Deed =
  | { does: "go"; to: string }
  | { does: "theme"; theme: Theme }
  | { does: "log out" }
  | { does: "help" };

/** The section of the palette a command is listed in. */
export type Group = "Recent" | "Do" | "Go to" | "Account" | "Admin" | "Models";

/** An entry of the command palette. */
export type Command = {
  id: string;
  group: Group;
  label: string;
  /** Shown beside the label: the section it belongs to. */
  hint?: string;
  /** Further words to find it by. */
  words?: string;
  deed: Deed;
};

type Visitor = { is_admin: boolean } | null;

/** Pages that only work when opened from a link with parameters. */
const NOT_BY_NAME =
  /^\/(auth\/|oauth\/|device|connect-marketplace|subscription\/|account\/(payment-method-added|verify-email)|reset-password)/;
const FOR_VISITORS = ["/login", "/register"];

const THEMES: Readonly<Record<Theme, string>> = {
  light: t`Use the light theme`,
  dark: t`Use the dark theme`,
  system: t`Use the theme of the system`,
};

/** Returns the commands of a visitor: the pages they may open, and global actions. */
export function commandsOf(routes: readonly RouteSpec[], visitor: Visitor, theme: Theme): Command[] {
  const pages = routes.filter((route) => mayOpen(route, visitor)).map(toCommand);
  const themes = (["light", "dark", "system"] as const)
    .filter((one) => one !== theme)
    .map(
      (one): Command => ({
        id: `theme ${one}`,
        group: "Do",
        label: THEMES[one],
        words: t`theme colour mode`,
        deed: { does: "theme", theme: one },
      }),
    );
  const help: Command = {
    id: "help",
    group: "Do",
    label: t`Show keyboard shortcuts`,
    words: "?",
    deed: { does: "help" },
  };
  const leave: Command = {
    id: "log out",
    group: "Do",
    label: t`Log out`,
    words: t`sign out`,
    deed: { does: "log out" },
  };
  const acts = visitor ? ACTS : ACTS.filter(({ id }) => id === NEW_CHAT);
  return [...acts, ...pages, ...themes, help, ...(visitor ? [leave] : [])];
}

const NEW_CHAT = "new chat";
/** The most frequent actions, offered on every page. */
const ACTS: readonly Command[] = [
  { id: NEW_CHAT, group: "Do", label: t`New chat`, deed: { does: "go", to: paths.chat() } },
  { id: "new key", group: "Do", label: t`New API key`, deed: { does: "go", to: `${paths.apiKeys}?new` } },
  { id: "new deployment", group: "Do", label: t`Create a deployment`, deed: { does: "go", to: paths.newDeployment() } },
];

/** Ids of the commands offered before anything is typed; the others are found by search. */
const FIRST = new Set([
  ...ACTS.map(({ id }) => id),
  "/models",
  "/chat",
  "/docs/quickstart",
  "/pricing",
  "/status",
  "/login",
  "/register",
  paths.usage,
  paths.apiKeys,
  paths.account,
  paths.deployments,
  paths.organization,
  paths.admin,
  "/admin/users",
  "/admin/settings",
]);

/** Returns the commands offered before anything is typed: recent ones first, without duplicates. */
export function firstCommands(commands: readonly Command[], recent: readonly Command[]): Command[] {
  const known = new Set(recent.map(({ id }) => id));
  const rest = commands.filter(({ id }) => FIRST.has(id) && !known.has(id));
  return inGroups([...recent, ...rest]);
}

const ORDER: readonly Group[] = ["Recent", "Do", "Go to", "Account", "Models", "Admin"];

/** Sorts commands by group; a stable sort keeps the order within a group. */
export const inGroups = (commands: readonly Command[]): Command[] =>
  commands.toSorted((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));

function mayOpen({ path, access }: RouteSpec, visitor: Visitor): boolean {
  if (path.includes(":") || NOT_BY_NAME.test(path)) return false;
  if (path === "/docs") return false; // its first page is listed instead
  if (path.includes("*") && path !== "/docs/*") return false;
  if (FOR_VISITORS.includes(path)) return visitor === null;
  return access === "public" || (access === "private" ? visitor !== null : visitor?.is_admin === true);
}

function groupOf(path: string): Group {
  if (path.startsWith("/admin")) return "Admin";
  return /^\/(account|developer)/.test(path) ? "Account" : "Go to";
}

function toCommand({ path, title }: RouteSpec): Command {
  const to = path === "/docs/*" ? "/docs/quickstart" : path;
  const parts = path === "/" ? [t`Home`] : title.split(" > ");
  const label = parts.at(-1) ?? title;
  const hint = parts.length > 1 ? parts.slice(0, -1).join(" > ") : undefined;
  return {
    id: to,
    group: groupOf(path),
    label,
    words: `${path} ${title}`,
    deed: { does: "go", to },
    ...(hint && { hint }),
  };
}

/** Returns the command that opens the page of a model. */
export const toModelCommand = (id: string): Command => ({
  id: `model ${id}`,
  group: "Models",
  label: id,
  deed: { does: "go", to: `/models/${id}` },
});

/** Returns the commands that match every typed word; those whose label starts with the first word come first. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = commands.flatMap((command) => {
    const name = command.label.toLowerCase();
    const all = `${name} ${command.hint ?? ""} ${command.words ?? ""}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const first = words[0] ?? "";
    const rank = name.startsWith(first) ? 0 : name.split(/\s/).some((part) => part.startsWith(first)) ? 1 : 2;
    return [{ command, rank }];
  });
  return scored.sort((a, b) => a.rank - b.rank).map(({ command }) => command);
}
