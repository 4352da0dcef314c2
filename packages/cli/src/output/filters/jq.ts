import { UsageError } from "../../errors.ts";

const INVALID_FILTER_EXIT_CODE = 3;

/** Creates a function that applies a jq filter: strings are returned raw, other values as JSON. Throws `UsageError` for an invalid filter. */
export async function createJqFilter(filter: string, pretty: boolean): Promise<(value: unknown) => string> {
  const { loadJq } = await import("jq-wasm");
  const jq = await loadJq();
  const apply = (value: unknown) => jq.raw(JSON.stringify(value), filter, pretty ? ["-r"] : ["-r", "-c"]);
  if (apply(null).exitCode === INVALID_FILTER_EXIT_CODE)
    throw new UsageError(`${filter} is no jq filter: ${formatReason(apply(null).stderr)}`, HINT);
  return (value) => {
    const { stdout, stderr, exitCode } = apply(value);
    if (exitCode !== 0) throw new UsageError(`the jq filter does not fit what came: ${formatReason(stderr)}`, HINT);
    return stdout.replace(/\n$/, "");
  };
}

const HINT = "--json alone shows what there is; the language: https://jqlang.org/manual";

const formatReason = (stderr: string): string =>
  (stderr.trim().split("\n")[0] ?? "").replace(/^jq: error(?: \(at [^)]*\))?:? ?/, "").replace(/, line \d+.*$/, "");
