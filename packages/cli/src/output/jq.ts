import { UsageError } from "../errors.ts";

const WRONG_FILTER = 3;

/** Creates a function that applies a jq filter: strings are returned raw, other values as JSON. Throws `UsageError` for an invalid filter. */
export async function jqFilter(filter: string, pretty: boolean): Promise<(value: unknown) => string> {
  const { loadJq } = await import("jq-wasm");
  const jq = await loadJq();
  const apply = (value: unknown) => jq.raw(JSON.stringify(value), filter, pretty ? ["-r"] : ["-r", "-c"]);
  if (apply(null).exitCode === WRONG_FILTER)
    throw new UsageError(`${filter} is no jq filter: ${reason(apply(null).stderr)}`, HINT);
  return (value) => {
    const { stdout, stderr, exitCode } = apply(value);
    if (exitCode !== 0) throw new UsageError(`the jq filter does not fit what came: ${reason(stderr)}`, HINT);
    return stdout.replace(/\n$/, "");
  };
}

const HINT = "--json alone shows what there is; the language: https://jqlang.org/manual";

const reason = (stderr: string): string =>
  (stderr.trim().split("\n")[0] ?? "").replace(/^jq: error(?: \(at [^)]*\))?:? ?/, "").replace(/, line \d+.*$/, "");
