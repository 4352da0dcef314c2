import { t } from "@lingui/core/macro";
import type { RouteSpec } from "#/config/routes.ts";
import type { Theme } from "#/lib/theme.ts";

/** What a command does. */
export type Deed =
  | { does: "go"; to: string }
  | { does: "theme"; theme: Theme }
  | { does: "log out" }
  | { does: "help" };

export type Command = {
  id: string;
  group: "Go to" | "Models" | "Do";
  label: string;
  /** Said beside the label: where it belongs. */
  hint?: string;
  /** Other words to find it by. */
  words?: string;
  deed: Deed;
};

type Visitor = { is_admin: boolean } | null;

/** Pages that only make sense where they are linked from, with something in their address. */
const NOT_BY_NAME =
  /^\/(auth\/|oauth\/|device|connect-marketplace|subscription\/|account\/(payment-method-added|verify-email)|reset-password)/;
const FOR_VISITORS = ["/login", "/register"];

const THEMES: Readonly<Record<Theme, string>> = {
  light: t`Use the light theme`,
  dark: t`Use the dark theme`,
  system: t`Use the theme of the system`,
};

/** The commands of a visitor: the pages they may open, and what can be done from anywhere. */
export function commandsOf(routes: readonly RouteSpec[], visitor: Visitor, theme: Theme): Command[] {
  const pages = routes.filter((route) => mayOpen(route, visitor)).map(toCommand);
  const themes = (["light", "dark", "system"] as const)
    .filter((one) => one !== theme)
    .map((one) => ({
      id: `theme ${one}`,
      group: "Do" as const,
      label: THEMES[one],
      words: t`theme colour mode`,
      deed: { does: "theme" as const, theme: one },
    }));
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
  return [...pages, ...themes, help, ...(visitor ? [leave] : [])];
}

function mayOpen({ path, access }: RouteSpec, visitor: Visitor): boolean {
  if (path.includes(":") || NOT_BY_NAME.test(path)) return false;
  if (path.includes("*") && path !== "/docs/*") return false;
  if (FOR_VISITORS.includes(path)) return visitor === null;
  return access === "public" || (access === "private" ? visitor !== null : visitor?.is_admin === true);
}

function toCommand({ path, title }: RouteSpec): Command {
  const to = path === "/docs/*" ? "/docs/quickstart" : path;
  const parts = path === "/" ? [t`Home`] : title.split(" > ");
  const label = parts.at(-1) ?? title;
  const hint = parts.length > 1 ? parts.slice(0, -1).join(" > ") : undefined;
  return { id: to, group: "Go to", label, words: `${path} ${title}`, deed: { does: "go", to }, ...(hint && { hint }) };
}

export const toModelCommand = (id: string): Command => ({
  id: `model ${id}`,
  group: "Models",
  label: id,
  deed: { does: "go", to: `/models/${id}` },
});

/** The commands that hold every typed word, the ones whose name begins with them first. */
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
