import { ANY_MESSAGE, type ErrorEntry, valuesIn } from "@feather/openapi/errors";

const HEADER = `/** Generated from errors.yaml of the contract; do not edit. */
import { AppError, type ErrorOptions } from "./app-error.ts";

type Value = string | number | bigint;

`;

/** Returns the module \`factories.generated.ts\`: a function for every error of the contract, by resource. */
export function renderFactories(entries: readonly ErrorEntry[]): string {
  const codes = entries.map(({ code }) => JSON.stringify(code)).join("\n  | ");
  const statuses = entries.map(({ code, statuses: [status] }) => `  ${JSON.stringify(code)}: ${status},`);
  const messages = entries.flatMap(({ code, message, default: fallback }) => {
    const text = message === ANY_MESSAGE ? fallback : message;
    return text === undefined ? [] : [`  ${JSON.stringify(code)}: ${JSON.stringify(text)},`];
  });
  return `${HEADER}/** The code of an error. */
export type ErrorCode =
  | ${codes};

/** The usual status of every error. */
export const ERROR_STATUSES: Readonly<Record<ErrorCode, number>> = {
${statuses.join("\n")}
};

/** The English message of every error that has one, with \`{values}\` of the case. */
export const ERROR_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
${messages.join("\n")}
};

/** Creates the errors of the contract. */
export const errors = {
${renderGroups(entries)}};
`;
}

function renderGroups(entries: readonly ErrorEntry[]): string {
  const groups = Map.groupBy(entries, ({ code }) => (code.includes(".") ? code.slice(0, code.indexOf(".")) : ""));
  return [...groups]
    .map(([name, members]) => {
      const factories = members.map(renderFactory).join("");
      return name === "" ? factories : `  ${toCamelCase(name)}: {\n${factories}  },\n`;
    })
    .join("");
}

function renderFactory(entry: ErrorEntry): string {
  const { code, statuses, message, default: fallback } = entry;
  const name = toCamelCase(code.slice(code.indexOf(".") + 1));
  const comment = `${statuses.join(" or ")} \`${code}\`: ${message === ANY_MESSAGE ? (fallback ?? entry.hint) : message}`;
  const text = message === ANY_MESSAGE ? "message" : toTemplate(message);
  const defaults = JSON.stringify({
    ...(entry.retry !== undefined && { retry: entry.retry }),
    ...(entry.retry_after_s !== undefined && { retryAfterSeconds: entry.retry_after_s }),
  });
  const values = message === ANY_MESSAGE ? [] : valuesIn(message);
  const added = [
    ...(defaults === "{}" ? [] : [`...${defaults}`]),
    "...options",
    ...(values.length === 0 ? [] : [`values: { ${values.join(", ")} }`]),
  ];
  const options = added.length === 1 ? "options" : `{ ${added.join(", ")} }`;
  return `  /** ${comment} */
  ${name}: (${renderParameters(entry)}options: ErrorOptions = {}): AppError =>
    new AppError(${statuses[0]}, ${JSON.stringify(code)}, ${text}, ${options}),
`;
}

function renderParameters({ message, default: fallback }: ErrorEntry): string {
  if (message === ANY_MESSAGE)
    return fallback === undefined ? "message: string, " : `message = ${JSON.stringify(fallback)}, `;
  const values = valuesIn(message);
  if (values.length === 0) return "";
  return `{ ${values.join(", ")} }: { ${values.map((value) => `${value}: Value`).join("; ")} }, `;
}

function toTemplate(message: string): string {
  const values = valuesIn(message);
  if (values.length === 0) return JSON.stringify(message);
  const escaped = message.replaceAll(/[\\`]|\$(?=\{)/g, (character) => `\\${character}`);
  return `\`${escaped.replaceAll(/\{\w+\}/g, (value) => `$${value}`)}\``;
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
