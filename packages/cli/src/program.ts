import { Option, Command as Parser } from "commander";
import type { AnyCommand, FlagValues } from "./command.ts";
import { entry } from "./command.ts";
import { api } from "./commands/api/request.ts";
import { login } from "./commands/auth/login.ts";
import { logout } from "./commands/auth/logout.ts";
import { whoami } from "./commands/auth/whoami.ts";
import { chat } from "./commands/chat/chat.ts";
import { keysCreate } from "./commands/keys/create.ts";
import { keysDelete } from "./commands/keys/delete.ts";
import { keysList } from "./commands/keys/list.ts";
import { keysRename } from "./commands/keys/rename.ts";
import { modelsList } from "./commands/models/list.ts";
import { modelsShow } from "./commands/models/show.ts";
import { createContext, type GlobalFlags, type World } from "./context.ts";
import type { Io } from "./output/io.ts";

/** Every command. Help comes from this table, and so does parsing. */
export const COMMANDS: readonly AnyCommand[] = [
  entry(login),
  entry(logout),
  entry(whoami),
  entry(modelsList),
  entry(modelsShow),
  entry(chat),
  entry(keysList),
  entry(keysCreate),
  entry(keysRename),
  entry(keysDelete),
  entry(api),
];

const NOUNS: Readonly<Record<string, string>> = {
  models: "Browse the models of the server",
  keys: "Manage API keys",
};

const AFTER = `
Environment: FEATHER_BASE_URL, FEATHER_API_KEY, FEATHER_TOKEN, FEATHER_PROFILE, FEATHER_CONFIG_DIR, NO_COLOR
Exit codes: 0 done, 1 failed, 2 wrong use, 3 not found, 4 not signed in or not allowed, 5 the work ended badly,
            6 conflict, 7 limited, 8 timed out waiting, 9 server fault, 10 network, 130 interrupted
`;

export type Run = World & { readonly io: Io; readonly version: string };

/** The parser for all commands. Nothing runs before `parseAsync`; usage mistakes throw commander's errors. */
export function createProgram({ io, version, ...world }: Run): Parser {
  const root = new Parser("feather")
    .description("Browse, call and run language models from the terminal.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .addHelpText("after", AFTER);
  addGlobals(prepare(root, io));
  const nouns = new Map<string, Parser>();
  for (const command of COMMANDS) {
    const [noun = "", verb] = command.name.split(" ");
    const parent = verb === undefined ? root : nounOf(noun, root, nouns, io);
    addCommand(root, parent, verb ?? noun, command, (args, flags) =>
      command.execute(createContext(io, globalFlags(flags), world), args, flags),
    );
  }
  return root;
}

function nounOf(noun: string, root: Parser, nouns: Map<string, Parser>, io: Io): Parser {
  const known = nouns.get(noun);
  if (known) return known;
  const parser = prepare(root.command(noun).description(NOUNS[noun] ?? ""), io);
  nouns.set(noun, parser);
  return parser;
}

function prepare(parser: Parser, io: Io): Parser {
  return parser.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    // The one place that reports errors is exit.ts.
    outputError: () => {},
    getOutHelpWidth: () => io.stdout.columns ?? 80,
    getErrHelpWidth: () => io.stderr.columns ?? 80,
  });
}

type Action = (args: readonly string[], flags: FlagValues) => Promise<void>;

function addCommand(root: Parser, parent: Parser, name: string, command: AnyCommand, action: Action): void {
  const parser = parent.command(name).description(command.summary).copyInheritedSettings(parent);
  for (const argument of command.arguments ?? []) parser.argument(argument);
  for (const { name, summary, parse, choices } of command.flags ?? []) {
    const option = new Option(name, summary);
    if (parse) option.argParser(parse);
    if (choices) option.choices(choices);
    parser.addOption(option);
  }
  if (command.prints === "fields")
    parser.option("--json [fields]", "print JSON; fields by comma").option("-q, --quiet", "print ids only");
  if (command.prints === "json") parser.option("--json", "print JSON");
  addGlobals(parser)
    .addHelpText("after", `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join("\n")}`)
    .action(() => action(parser.args, { ...parser.opts(), ...givenTo(root), ...givenTo(parser) }));
}

function addGlobals(parser: Parser): Parser {
  return parser
    .option("--base-url <url>", "address of the server")
    .option("--profile <name>", "profile of the configuration")
    .option("--no-input", "never ask")
    .option("--no-color", "no colour");
}

/** The flags that stand on the command line, without defaults. */
function givenTo(parser: Parser): FlagValues {
  return Object.fromEntries(
    Object.entries(parser.opts()).filter(([name]) => parser.getOptionValueSource(name) === "cli"),
  );
}

function globalFlags(flags: FlagValues): GlobalFlags {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    json: flags.json === true ? true : text(flags.json),
    quiet: flags.quiet === true,
    color: flags.color !== false,
    input: flags.input !== false,
    baseUrl: text(flags.baseUrl),
    profile: text(flags.profile),
  };
}
