import { type AnyCommand, defineCommand } from "../../command.ts";
import { doctor } from "./doctor.ts";

/** The commands of `doctor`. */
export const commands: readonly AnyCommand[] = [defineCommand(doctor)];
