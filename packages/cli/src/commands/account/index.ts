import { type AnyCommand, defineCommand } from "../../command.ts";
import { accountDelete } from "./delete.ts";

/** The commands of `account`. */
export const commands: readonly AnyCommand[] = [defineCommand(accountDelete)];
