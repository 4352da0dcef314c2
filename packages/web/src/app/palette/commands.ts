import { can, type Permission, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import type { RouteSpec } from "#/config/routes.ts";
import { i18n } from "#/i18n/runtime.ts";
import type { Theme } from "#/lib/preferences/theme.ts";

/** What a command does. */
export type CommandAction =
  | { type: "go"; to: string }
  | { type: "theme"; theme: Theme }
  | { type: "log out" }
  | { type: "help" };

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
  keywords?: string;
  action: CommandAction;
};

type Visitor = Pick<User, "is_admin" | "permissions" | "impersonated_by"> | null;

/** Pages that only work when opened from a link with parameters. */
const UNLISTED_PATHS =
  /^\/(auth\/|oauth\/|device|connect-marketplace|subscription\/|account\/(payment-method-added|verify-email)|reset-password)/;
const VISITOR_PATHS = ["/login", "/register"];

const THEMES: Readonly<Record<Theme, string>> = {
  light: t`Use the light theme`,
  dark: t`Use the dark theme`,
  system: t`Use the theme of the system`,
};

/** Returns the commands of a visitor: the pages they may open, and global actions. */
export function listCommands(routes: readonly RouteSpec[], visitor: Visitor, theme: Theme): Command[] {
  const pages = routes.filter((route) => canOpen(route, visitor)).map(toCommand);
  const themes = (["light", "dark", "system"] as const)
    .filter((one) => one !== theme)
    .map(
      (one): Command => ({
        id: `theme ${one}`,
        group: "Do",
        label: THEMES[one],
        keywords: t`theme colour mode`,
        action: { type: "theme", theme: one },
      }),
    );
  const help: Command = {
    id: "help",
    group: "Do",
    label: t`Show keyboard shortcuts`,
    keywords: "?",
    action: { type: "help" },
  };
  const logOut: Command = {
    id: "log out",
    group: "Do",
    label: t`Log out`,
    keywords: t`sign out`,
    action: { type: "log out" },
  };
  return [...listQuickActions(visitor), ...pages, ...themes, help, ...(visitor ? [logOut] : [])];
}

const NEW_CHAT: Command = { id: "new chat", group: "Do", label: t`New chat`, action: { type: "go", to: paths.chat() } };
const NEW_KEY: Command = {
  id: "new key",
  group: "Do",
  label: t`New API key`,
  action: { type: "go", to: `${paths.apiKeys}?new` },
};
const NEW_DEPLOYMENT: Command = {
  id: "new deployment",
  group: "Do",
  label: t`Create a deployment`,
  action: { type: "go", to: paths.newDeployment() },
};

/** Returns the most frequent actions, which every page offers to who may do them. */
const listQuickActions = (visitor: Visitor): Command[] => [
  NEW_CHAT,
  ...(mayMake(visitor, "manage_keys") ? [NEW_KEY] : []),
  ...(mayMake(visitor, "manage_deployments") ? [NEW_DEPLOYMENT] : []),
];

/**
 * Returns whether the visitor may create something lasting. Admins who impersonate a user may not: the server refuses
 * them keys and deployments.
 */
const mayMake = (visitor: Visitor, permission: Permission): boolean =>
  visitor !== null && can(visitor, permission) && !visitor.impersonated_by;

/** Ids of the commands offered before anything is typed; the others are found by search. */
const SUGGESTED_IDS = new Set([
  NEW_CHAT.id,
  NEW_KEY.id,
  NEW_DEPLOYMENT.id,
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
export function suggestCommands(commands: readonly Command[], recent: readonly Command[]): Command[] {
  const known = new Set(recent.map(({ id }) => id));
  const rest = commands.filter(({ id }) => SUGGESTED_IDS.has(id) && !known.has(id));
  return [...recent, ...rest].toSorted((a, b) => GROUP_ORDER.indexOf(a.group) - GROUP_ORDER.indexOf(b.group));
}

/** The order of the groups before anything is typed. */
export const GROUP_ORDER: readonly Group[] = ["Recent", "Do", "Go to", "Account", "Models", "Admin"];

function canOpen({ path, access }: RouteSpec, visitor: Visitor): boolean {
  if (path.includes(":") || UNLISTED_PATHS.test(path)) return false;
  if (path === "/docs") return false; // its first page is listed instead
  if (path.includes("*") && path !== "/docs/*") return false;
  if (VISITOR_PATHS.includes(path)) return visitor === null;
  return access === "public" || (access === "private" ? visitor !== null : visitor?.is_admin === true);
}

function toGroup(path: string): Group {
  if (path.startsWith("/admin")) return "Admin";
  return /^\/(account|developer)/.test(path) ? "Account" : "Go to";
}

function toCommand(route: RouteSpec): Command {
  const { path } = route;
  const title = i18n._(route.title);
  const to = path === "/docs/*" ? "/docs/quickstart" : path;
  const parts = path === "/" ? [t`Home`] : title.split(" > ");
  const label = parts.at(-1) ?? title;
  const hint = parts.length > 1 ? parts.slice(0, -1).join(" > ") : undefined;
  return {
    id: to,
    group: toGroup(path),
    label,
    keywords: `${path} ${title}`,
    action: { type: "go", to },
    ...(hint && { hint }),
  };
}

/** Returns the command that opens the page of a model. */
export const toModelCommand = (id: string): Command => ({
  id: `model ${id}`,
  group: "Models",
  label: id,
  action: { type: "go", to: `/models/${id}` },
});

/**
 * Returns how well a command matches the typed words: 0 unless it contains all of them; 1 if its label starts with the
 * first word; less if only another word of the label starts with it, or none does.
 */
export function scoreCommand({ label, hint, keywords }: Command, typed: string): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const name = label.toLowerCase();
  const searchText = `${name} ${hint ?? ""} ${keywords ?? ""}`.toLowerCase();
  if (!words.every((word) => searchText.includes(word))) return 0;
  const first = words[0] ?? "";
  if (name.startsWith(first)) return 1;
  return name.split(/\s/).some((part) => part.startsWith(first)) ? 0.8 : 0.6;
}
