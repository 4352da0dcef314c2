import { type AnyCommand, defineCommand } from "../../command.ts";
import { creditsAutoTopUpDelete, creditsAutoTopUpSet, creditsAutoTopUpShow } from "./auto-top-up.ts";
import { creditsBalance } from "./balance.ts";
import { creditsHistory } from "./history.ts";
import { creditsMeteringOff, creditsMeteringSet, creditsMeteringShow } from "./metering.ts";

/** The commands of `credits`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(creditsBalance),
  defineCommand(creditsHistory),
  defineCommand(creditsAutoTopUpShow),
  defineCommand(creditsAutoTopUpSet),
  defineCommand(creditsAutoTopUpDelete),
  defineCommand(creditsMeteringShow),
  defineCommand(creditsMeteringSet),
  defineCommand(creditsMeteringOff),
];
