import type { Body } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { given } from "../../flags.ts";
import { SCOPES } from "./scope.ts";

export type KeysCreateOptions = {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires?: string;
};
type Scope = NonNullable<Body<"apiKeys.create">["scopes"]>[number];

/** Makes a key. Its secret is the only thing on stdout, for it is shown this one time. */
export const keysCreate: Command<KeysCreateOptions> = {
  name: "keys create",
  summary: "Make an API key and print its secret",
  arguments: [{ name: "<name>", summary: "what it is called" }],
  prints: "json",
  needs: "sign-in",
  flags: [
    { name: "--scope <names>", summary: `what the key may do, by comma: ${SCOPES.join(", ")}` },
    { name: "--expires <date>", summary: "last moment it works: 2027-03-01, or a time in RFC 3339" },
  ],
  examples: ["feather keys create production", "FEATHER_API_KEY=$(feather keys create ci --expires 2027-03-01)"],
  options: ([name = ""], flags) => {
    const scopes = typeof flags.scope === "string" ? flags.scope.split(",").map((scope) => scope.trim()) : [];
    return { name, scopes, ...given("expires", flags.expires) };
  },
  async run({ output, client, signal }, { name, scopes, expires }) {
    const body: Body<"apiKeys.create"> = { name, ...(scopes.length > 0 && { scopes: scopes.map(scopeOf) }) };
    if (expires !== undefined) Object.assign(body, { expires_at: moment(expires) });
    const key = await (await client()).apiKeys.create(body, { signal });
    if (output.json) {
      output.printJson(key);
      return;
    }
    output.say(`Made the key ${key.name} (${key.id}). Its secret is shown this one time; keep it safe.`);
    output.print(key.secret);
  },
};

function scopeOf(name: string): Scope {
  const scope = SCOPES.find((known) => known === name);
  if (scope === undefined)
    throw new UsageError(`there is no scope ${name}`, `--scope with any of ${SCOPES.join(", ")}`);
  return scope;
}

function moment(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new UsageError(`${text} is not a date`, "--expires 2027-03-01");
  return date.toISOString();
}
