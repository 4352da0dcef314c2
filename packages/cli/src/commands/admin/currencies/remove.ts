import type { Command } from "../../../command.ts";
import { parseCode } from "./set.ts";

/** Switches a currency off. */
export const currenciesRemove: Command<{ readonly code: string }> = {
  name: "admin currencies remove",
  summary: "Switch a currency off in which nobody pays",
  arguments: [{ name: "<code>", summary: "code of the currency, such as EUR" }],
  confirms: true,
  prints: "one",
  fields: [],
  needs: "admin",
  examples: ["feather admin currencies remove EUR"],
  options: ([code = ""]) => ({ code: parseCode(code) }),
  async run({ client, confirm, output, signal }, { code }) {
    await confirm(`Switch ${code} off? The prices of plans in it are gone then.`);
    await (await client()).admin.currencies.remove(code, { signal });
    output.printChange({ value: { code }, id: code, message: `${code} is switched off.` });
  },
};
