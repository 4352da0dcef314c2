import { type AnyCommand, defineCommand } from "../../command.ts";
import { completeWords } from "./complete.ts";
import { completion } from "./completion.ts";

/** The commands of `completion` and `complete`. */
export const commands: readonly AnyCommand[] = [defineCommand(completion), defineCommand(completeWords)];
