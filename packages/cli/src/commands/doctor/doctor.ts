import type { Command } from "../../command.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import type { TableView } from "../../output/index.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import { measureAsciiWidth } from "../../output/width.ts";
import { wrapWords } from "../../output/wrap.ts";
import { type Check, fail } from "./check.ts";
import { checkAddress, checkMachine } from "./machine.ts";
import { checkNetwork } from "./network.ts";
import { checkSignIn } from "./sign-in.ts";

const FIELDS = ["name", "state", "detail", "hint"] as const satisfies readonly (keyof Check)[];

const TABLE_VIEW: TableView<Check> = {
  columns: [
    { header: "CHECK", cell: ({ name }) => name },
    { header: "STATE", cell: ({ state }) => state },
    { header: "DETAIL", cell: ({ detail }) => detail },
    { header: "TO DO", cell: ({ hint }) => hint ?? "" },
  ],
  id: ({ name }) => name,
  noun: "checks",
  empty: "Nothing was checked.",
};

/** Checks everything that a request depends on, and says what to do about each problem. */
export const doctor: Command<Record<string, never>> = {
  name: "doctor",
  summary: "Find out why something does not work",
  description:
    "Looks at the program, the terminal, the configuration, the way to the server, its version and clock, and the sign-in. Exit code 1 when something fails.",
  prints: "list",
  fields: FIELDS,
  examples: ["feather doctor", "feather doctor --json state,name,detail"],
  options: () => ({}),
  async run(context) {
    const checks = await checkAll(context);
    if (context.output.mode === "human") for (const check of checks) printHuman(context, check);
    else context.output.printList(TABLE_VIEW, checks, checks);
    const failed = checks.filter(({ state }) => state === "fail").length;
    if (failed > 0) throw new Error(`${failed} of ${checks.length} checks failed`);
  },
};

async function checkAll(context: Context): Promise<readonly Check[]> {
  const machine = checkMachine(context);
  let settings: Settings;
  try {
    settings = context.settings();
  } catch (error) {
    const isReported = machine.some(
      ({ state, detail }) => state === "fail" && error instanceof Error && detail === error.message,
    );
    return isReported
      ? machine
      : [
          ...machine,
          fail("address", error instanceof Error ? error.message : String(error), "--base-url, or FEATHER_BASE_URL"),
        ];
  }
  const network = await checkNetwork(context, settings);
  const reached = network.every(({ state }) => state !== "fail");
  const signIn = reached ? [await checkSignIn(context, settings)] : [];
  return [...machine, checkAddress(context, settings), ...network, ...signIn];
}

const NAME_WIDTH = 14;

function printHuman({ output }: Context, { name, state, detail, hint }: Check): void {
  const { style } = output;
  const paint = { ok: style.green, warn: style.amber, fail: style.red }[state];
  const indent = " ".repeat(6 + NAME_WIDTH + 1);
  const wrap = (text: string) =>
    wrapWords(text, output.width - indent.length, measureAsciiWidth).replaceAll("\n", `\n${indent}`);
  output.printStyled(`${paint(state.padEnd(4))}  ${name.padEnd(NAME_WIDTH)} ${wrap(sanitizeLine(detail))}`);
  if (hint !== null)
    output.printStyled(`${indent}${wrap(`try: ${sanitizeLine(hint)}`).replace("try:", style.dim("try:"))}`);
}
