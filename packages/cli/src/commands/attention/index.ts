import { type AnyCommand, defineCommand } from "../../command.ts";
import { attentionShow } from "./show.ts";

/** The commands of `attention`. */
export const commands: readonly AnyCommand[] = [defineCommand(attentionShow)];
