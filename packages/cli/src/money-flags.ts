import { InvalidArgumentError } from "commander";

/** Parses an amount of dollars, such as `20` or `$2.50`; returns cents. Throws `InvalidArgumentError`. */
export function parseCents(text: string): number {
  const [, whole, part = ""] = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) throw new InvalidArgumentError("It must be an amount of dollars, such as 20 or 2.50.");
  return Number(whole + part.padEnd(2, "0"));
}
