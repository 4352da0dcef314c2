import type { AnyCommand } from "../command.ts";

/** A noun, or a group below one, and where its commands are. They are loaded when they are called for. */
export type Branch = {
  /** `models`, or `admin users`. */
  readonly name: string;
  readonly summary: string;
  readonly section: Section;
  /** The commands whose names begin with this one, or are it. */
  readonly load: () => Promise<readonly AnyCommand[]>;
  readonly hidden?: true;
};

/** Headings of `feather --help`, in their order. */
export const SECTIONS = ["Sign in", "Models", "Account", "Hosting", "Operating", "Tools"] as const;
export type Section = (typeof SECTIONS)[number];

/** Every noun. Parsing, help, completion, man pages and the reference come from here. */
export const TABLE: readonly Branch[] = [
  {
    name: "login",
    summary: "Sign in to a server",
    section: "Sign in",
    load: async () => (await import("./auth/index.ts")).commands,
  },
  {
    name: "logout",
    summary: "Sign out and forget the stored credential",
    section: "Sign in",
    load: async () => (await import("./auth/index.ts")).commands,
  },
  {
    name: "whoami",
    summary: "Say who is signed in",
    section: "Sign in",
    load: async () => (await import("./auth/index.ts")).commands,
  },
  {
    name: "profile",
    summary: "Keep several sign-ins and servers apart",
    section: "Sign in",
    load: async () => (await import("./profile/index.ts")).commands,
  },
  {
    name: "models",
    summary: "Browse the models of the server",
    section: "Models",
    load: async () => (await import("./models/index.ts")).commands,
  },
  {
    name: "chat",
    summary: "Talk to a model",
    section: "Models",
    load: async () => (await import("./chat/index.ts")).commands,
  },
  {
    name: "keys",
    summary: "Manage API keys",
    section: "Account",
    load: async () => (await import("./keys/index.ts")).commands,
  },
  {
    name: "api",
    summary: "Call the API directly",
    section: "Tools",
    load: async () => (await import("./api/index.ts")).commands,
  },
];

/** All commands, in the order of the table. */
export async function allCommands(): Promise<readonly AnyCommand[]> {
  const loaded = await Promise.all(TABLE.map(({ name, load }) => commandsOf(name, load)));
  return loaded.flat();
}

/** The commands of a branch: others may live in the same files. */
export async function commandsOf(name: string, load: Branch["load"]): Promise<readonly AnyCommand[]> {
  return (await load()).filter((command) => command.name === name || command.name.startsWith(`${name} `));
}
