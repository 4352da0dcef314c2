/** The parsed values of flags, by property name. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** What kind of thing a value names, for completion: resources of the server, or names on this machine. */
export type ValueKind =
  | "models"
  | "keys"
  | "deployments"
  | "admin-deployments"
  | "private-models"
  | "apps"
  | "plans"
  | "profiles"
  | "paths"
  | "pages"
  | "files";

/** A positional argument of a command. */
export type Argument = {
  /** In commander's syntax: `<id>`, `[prompt...]`. */
  readonly name: string;
  readonly summary: string;
  readonly values?: ValueKind;
  readonly choices?: readonly string[];
};

/** A flag of a command. */
export type Flag = {
  /** In commander's syntax: `-m, --model <id>`. */
  readonly name: string;
  readonly summary: string;
  readonly parse?: (text: string, previous: unknown) => unknown;
  readonly choices?: readonly string[];
  readonly values?: ValueKind;
  /** Property that holds its value, where the one derived from its name is taken. */
  readonly property?: string;
};
