import { parseArgs } from "node:util";

/** What to measure, and how. */
export type BenchOptions = {
  /** Names of measurements; empty for all. */
  names: string[];
  /** Only the most telling loads of the gateway, which takes less than a minute. */
  quick: boolean;
  /** Profile the gateway under load in place of measuring it. */
  profile: boolean;
};

/** Reads the arguments of `npm run bench -- …`. Throws an Error that names what there is. */
export function parseOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false }, profile: { type: "boolean", default: false } },
  });
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is nothing called ${unknown.join(", ")} to measure. There is: ${known.join(", ")}.`);
  return { names: positionals, ...values };
}
