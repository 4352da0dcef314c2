import { type AnyCommand, entry } from "../../command.ts";
import { creditsBalance } from "./balance.ts";
import { creditsHistory } from "./history.ts";

/** The commands of `credits`. */
export const commands: readonly AnyCommand[] = [entry(creditsBalance), entry(creditsHistory)];
