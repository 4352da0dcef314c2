import { z } from "zod";

/** One setting: the variable that holds it, its documentation, how it is validated and its default. */
export type SettingDeclaration = {
  /** The environment variable, which is its name in `feather.config.yaml` and in messages too. */
  env: string;
  doc: string;
  schema: z.ZodType;
  /** What is validated where nothing is set; undefined for a setting that may be left out. */
  default: string | undefined;
  /** Nobody may see the value. */
  secret?: true;
  /** The default depends on who can reach the server; `config/exposure.ts` has it, and so a value is always set. */
  defaultByExposure?: true;
};

/** The settings that a module declares, by the names under which it reads them. */
export type SettingDeclarations = Readonly<Record<string, SettingDeclaration>>;

/** What a group of declarations reads as. */
export type SettingsOf<D extends SettingDeclarations> = {
  readonly [K in keyof D]: D[K] extends { defaultByExposure: true }
    ? NonNullable<z.infer<D[K]["schema"]>>
    : z.infer<D[K]["schema"]>;
};

/** Invalid settings; the message lists all problems for the operator. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** A duration of at most a day, in seconds. */
export const seconds = z.coerce.number().positive().max(86_400);

/** A share, in percent. */
export const percent = z.coerce.number().min(0).max(100);

/** A switch; transformed to a boolean. */
export const onOff = z
  .enum(["on", "off", "1", "0", "true", "false"])
  .transform((value) => value === "on" || value === "1" || value === "true");

/** An address of the web. */
export const httpUrl = z.url({ protocol: /^https?$/ });

/** What a schema validates, given as JSON in the environment or as it is in the file. */
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
