import type { ErrorEntry } from "@feather/openapi/errors";

/** Renders `error-codes.ts`: the type of all error codes, and what helps against some of them. */
export function renderErrorCodesFile(entries: readonly ErrorEntry[]): string {
  const codes = entries.map(({ code }) => `  | ${JSON.stringify(code)}`).join("\n");
  return `/** Generated from errors.yaml of the contract; do not edit. */

/** A code of the platform's errors. */
export type ErrorCode =
${codes};

/** What helps at a terminal, by error code. */
export const ERROR_COMMANDS: { readonly [code: string]: string | undefined } = ${renderTable(entries, "command")};

/** The action of a user interface that helps, by error code. */
export const ERROR_ACTIONS = ${renderTable(entries, "action")} as const;
`;
}

function renderTable(entries: readonly ErrorEntry[], field: "command" | "action"): string {
  const lines = entries.flatMap(({ code, [field]: value }) =>
    value === undefined ? [] : [`  ${JSON.stringify(code)}: ${JSON.stringify(value)},`],
  );
  return `{\n${lines.join("\n")}\n}`;
}
