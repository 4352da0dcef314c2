/** Reads errors.yaml. The generators of the server, the SDK and the docs use it. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** An error of errors.yaml, which describes the fields. */
export type ErrorEntry = {
  code: string;
  /** The usual status first. */
  statuses: readonly number[];
  message: string;
  default?: string;
  hint?: string;
  retry?: boolean;
  retry_after_s?: number;
  command?: string;
  action?: string;
};

/** A group of errors with a title for the docs. */
export type ErrorSection = { title: string; errors: readonly ErrorEntry[] };

type Source = {
  title: string;
  errors: Record<string, Omit<ErrorEntry, "code" | "statuses"> & { status: number | number[] }>;
};

/** The message of errors whose wording depends on the case. */
export const ANY_MESSAGE = "{message}";

const CODE = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/;
const FIELDS = ["status", "message", "default", "hint", "retry", "retry_after_s", "command", "action"];

/** Reads all errors. Throws for codes of another form, codes that occur twice, and unknown or missing fields. */
export function readErrors(): ErrorSection[] {
  const sections = parse(readFileSync(new URL("errors.yaml", import.meta.url), "utf8")) as Source[];
  const known = new Set<string>();
  return sections.map(({ title, errors }) => ({
    title,
    errors: Object.entries(errors).map(([code, { status, ...fields }]) => {
      const problem = findProblem(code, { status, ...fields }, known);
      if (problem !== null) throw new Error(`errors.yaml: ${code} ${problem}.`);
      known.add(code);
      return { code, statuses: [status].flat(), ...fields };
    }),
  }));
}

function findProblem(code: string, fields: Source["errors"][string], known: ReadonlySet<string>): string | null {
  if (!CODE.test(code)) return "is not a code";
  if (known.has(code)) return "occurs twice";
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return `has the unknown field ${unknown}`;
  if (typeof fields.message !== "string" || fields.message === "") return "has no message";
  if ([fields.status].flat().some((status) => !(status >= 400 && status < 600))) return "has a status that is no error";
  if (fields.message === ANY_MESSAGE && fields.hint === undefined)
    return "needs a hint, because its message depends on the case";
  return null;
}

/** Returns the names of the values in a message, in order. */
export function valuesIn(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))];
}

/** The parts of the bundled contract that describe responses. */
type DocumentWithExamples = { paths: object; components: { responses?: object } };

/** Returns the codes in the examples of all error responses, each once. */
export function listExampleCodes({ paths, components }: DocumentWithExamples): string[] {
  const responses = Object.values(paths).flatMap((item: object) =>
    Object.values(item).flatMap((operation: { responses?: object }) => Object.entries(operation?.responses ?? {})),
  );
  const failures = responses.filter(([status]) => /^[45]/.test(status)).map(([, response]) => response as unknown);
  return [
    ...new Set([...failures, ...Object.values(components.responses ?? {})].flatMap((value) => codesIn(value, false))),
  ];
}

/** Codes are in `error` of model calls, in the JSON text of `data` of other calls, and in a `refusal` of a preflight. */
function codesIn(value: unknown, inError: boolean): string[] {
  if (typeof value === "string" && value.startsWith("{") && value.includes('"code"'))
    return codesIn(JSON.parse(value), true);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    ...(name === "code" && inError && typeof part === "string" && CODE.test(part) ? [part] : []),
    ...codesIn(part, inError || name === "error" || name === "data" || name === "refusal"),
  ]);
}
