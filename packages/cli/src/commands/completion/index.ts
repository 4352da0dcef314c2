import { type AnyCommand, entry } from "../../command.ts";
import { completeWords } from "./complete.ts";
import { completion } from "./completion.ts";

/** The commands of `completion` and `complete`. */
export const commands: readonly AnyCommand[] = [entry(completion), entry(completeWords)];
