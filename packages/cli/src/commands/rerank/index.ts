import { type AnyCommand, defineCommand } from "../../command.ts";
import { rerank } from "./rerank.ts";

/** The commands of `rerank`. */
export const commands: readonly AnyCommand[] = [defineCommand(rerank)];
