import { type AnyCommand, defineCommand } from "../../../command.ts";
import { paymentsCheck } from "./check.ts";

/** The commands of `admin payments`. */
export const commands: readonly AnyCommand[] = [defineCommand(paymentsCheck)];
