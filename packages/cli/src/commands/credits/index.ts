import { type AnyCommand, defineCommand } from "../../command.ts";
import { creditsBalance } from "./balance.ts";
import { creditsHistory } from "./history.ts";

/** The commands of `credits`. */
export const commands: readonly AnyCommand[] = [defineCommand(creditsBalance), defineCommand(creditsHistory)];
