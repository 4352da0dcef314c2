import { type AnyCommand, defineCommand } from "../../command.ts";
import { transcribe } from "./transcribe.ts";

/** The commands of `transcribe`. */
export const commands: readonly AnyCommand[] = [defineCommand(transcribe)];
