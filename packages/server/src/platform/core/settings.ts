import { z } from "zod";

/** A setting: its environment variable, documentation, validation and default. */
export type SettingDeclaration = {
  /** The environment variable. It is also the setting's name in `feather.config.yaml` and in messages. */
  env: string;
  doc: string;
  schema: z.ZodType;
  /** The value that is validated if nothing is set; undefined for an optional setting. */
  default: string | undefined;
  /** Whether the value must not be shown; by default if its name looks like that of a secret. */
  secret?: boolean;
  /**
   * Set if admins may save a value while the server runs. Left out for what is needed before the database is open, names programs,
   * files or machines, or opens the server to others.
   */
  editable?: true;
  /**
   * Set if the default depends on who can reach the server. `config/exposure.ts` determines it, so the setting always has a
   * value.
   */
  defaultByExposure?: true;
  /** Options that admins are offered only where another setting, which they cannot save, has a value: its variable by option. */
  optionsNeed?: Readonly<Record<string, string>>;
};

/** The settings that a module declares, by the names under which the module reads them. */
export type SettingDeclarations = Readonly<Record<string, SettingDeclaration>>;

/** The validated values of a group of declarations. */
export type SettingsOf<D extends SettingDeclarations> = {
  readonly [K in keyof D]: D[K] extends { defaultByExposure: true }
    ? NonNullable<z.infer<D[K]["schema"]>>
    : z.infer<D[K]["schema"]>;
};

/** The error for invalid settings. The message lists all problems for the operator. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  /** Each problem in a sentence. */
  readonly problems: readonly string[];
  constructor(message: string, problems: readonly string[] = [message]) {
    super(message);
    this.problems = problems;
  }
}

/** A duration from a hundredth of a second to a day, in seconds. */
export const seconds = z.coerce.number().min(0.01).max(86_400);

/** A line of text without control and invisible characters. */
export const line = z.string().regex(/^\P{C}+$/u, "must be one line without control or invisible characters");

/** A share, in percent. */
export const percent = z.coerce.number().min(0).max(100);

/** Validates a switch: `on` or `off`, `1` or `0`, `true` or `false`. Transforms it to a boolean. */
export const onOff = z
  .enum(["on", "off", "1", "0", "true", "false"])
  .transform((value) => value === "on" || value === "1" || value === "true");

/** Validates an http or https URL. */
export const httpUrl = z.url({ protocol: /^https?$/ });

/** Returns the schema for a value that is JSON in the environment and plain data in the file. */
export function fromJson<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (typeof value === "string" ? parseJson(value) : value), schema);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the schema reports what it should be
  }
}
