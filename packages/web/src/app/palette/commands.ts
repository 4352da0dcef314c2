import { type AdminUser, can, type Permission, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import type { RouteSpec } from "#/config/routes.ts";
import { i18n } from "#/i18n/runtime.ts";
import type { Theme } from "#/lib/preferences/theme.ts";
import { PAGE_WORDS } from "./page-words.ts";

/** What a command does. */
export type CommandAction =
  | { type: "go"; to: string }
  | { type: "theme"; theme: Theme }
  | { type: "log out" }
  | { type: "help" };

/** The section of the palette a command is listed in. */
export type Group = "Recent" | "Do" | "Go to" | "Account" | "Yours" | "Models" | "Users" | "Admin";

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

type FoundUser = Pick<AdminUser, "id" | "name" | "email" | "organization_name">;
type Visitor = Pick<User, "is_admin" | "permissions" | "impersonated_by"> | null;

/** Pages that only work when opened from a link with parameters. */
const UNLISTED_PATHS =
  /^\/(auth\/|oauth\/|device|confirm-email|deployments\/open|connect-marketplace|subscription\/|account\/(payment-method-added|verify-email)|reset-password)/;
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
        keywords: t`theme colour mode appearance`,
        action: { type: "theme", theme: one },
      }),
    );
  const help: Command = {
    id: "help",
    group: "Do",
    label: t`Show keyboard shortcuts`,
    keywords: t`? keys help hotkeys`,
    action: { type: "help" },
  };
  const logOut: Command = {
    id: "log out",
    group: "Do",
    label: t`Log out`,
    keywords: t`sign out leave logout exit`,
    action: { type: "log out" },
  };
  return [...listQuickActions(visitor), ...pages, ...themes, help, ...(visitor ? [logOut] : [])];
}

const NEW_CHAT: Command = {
  id: "new chat",
  group: "Do",
  label: t`New chat`,
  keywords: t`start conversation talk question`,
  action: { type: "go", to: paths.chat() },
};
const NEW_KEY: Command = {
  id: "new key",
  group: "Do",
  label: t`New API key`,
  keywords: t`make create add token secret`,
  action: { type: "go", to: `${paths.apiKeys}?new` },
};
const NEW_DEPLOYMENT: Command = {
  id: "new deployment",
  group: "Do",
  label: t`Create a deployment`,
  keywords: t`new make start deploy dedicated machine`,
  action: { type: "go", to: paths.newDeployment() },
};

const INVITE: Command = {
  id: "invite",
  group: "Do",
  label: t`Invite somebody`,
  keywords: t`add member user people team colleague invitation`,
  action: { type: "go", to: `${paths.organization}?invite` },
};

/** Returns the most frequent actions, which every page offers to who may do them. */
const listQuickActions = (visitor: Visitor): Command[] => [
  NEW_CHAT,
  ...(mayMake(visitor, "manage_keys") ? [NEW_KEY] : []),
  ...(mayMake(visitor, "manage_deployments") ? [NEW_DEPLOYMENT] : []),
  ...(mayMake(visitor, "manage_members") ? [INVITE] : []),
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
export const GROUP_ORDER: readonly Group[] = ["Recent", "Do", "Go to", "Account", "Yours", "Models", "Users", "Admin"];

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
    keywords: `${path} ${title} ${PAGE_WORDS[path] ?? ""}`,
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

const REQUEST_ID = /^req_[A-Za-z0-9]{6,64}$/;

/** Returns the command that opens the receipt of a request; null for what is no id of a request. */
export const toReceiptCommand = (typed: string): Command | null =>
  REQUEST_ID.test(typed)
    ? {
        id: `receipt ${typed}`,
        group: "Yours",
        label: typed,
        hint: t`Receipt`,
        action: { type: "go", to: `${paths.usage}?view=requests&request=${typed}` },
      }
    : null;

/** Returns the command that opens a user for an admin. The server found them, so their words are not compared again. */
export const toUserCommand = ({ id, name, email, organization_name }: FoundUser): Command => ({
  id: `user ${id}`,
  group: "Users",
  label: name,
  hint: `${email}, ${organization_name}`,
  action: { type: "go", to: `/admin/users/${encodeURIComponent(id)}` },
});

/**
 * Returns how well a command matches the typed words: 0 unless it contains all of them; 1 if its label starts with the
 * first word; less if only another word of the label starts with it, or none does.
 */
export function scoreCommand({ label, hint, keywords }: Command, typed: string): number {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const name = fold(label);
  const searchText = `${name} ${fold(hint ?? "")} ${fold(keywords ?? "")}`;
  if (!words.every((word) => searchText.includes(word))) return 0;
  const first = words[0] ?? "";
  if (name.startsWith(first)) return 1;
  return name.split(/\s/).some((part) => part.startsWith(first)) ? 0.8 : 0.6;
}

/** Returns a text in small letters without accents, which people leave out when they search. */
const fold = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
